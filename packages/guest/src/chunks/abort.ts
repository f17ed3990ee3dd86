import { createAbortClasses } from "../library/abort.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"abort"> = createAbortClasses;
