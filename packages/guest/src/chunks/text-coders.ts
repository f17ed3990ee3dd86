import { createTextCoders } from "../library/text-coders.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"text-coders"> = createTextCoders;
