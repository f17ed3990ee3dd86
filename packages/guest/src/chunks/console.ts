import { createConsole } from "../library/console.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"console"> = (services) => ({ console: createConsole(services) });
