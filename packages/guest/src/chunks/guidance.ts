import { guidanceFor } from "../library/absent-globals.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"guidance"> = () => ({ guidanceFor });
