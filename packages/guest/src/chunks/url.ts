import { createUrlClasses } from "../library/url.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"url"> = createUrlClasses;
