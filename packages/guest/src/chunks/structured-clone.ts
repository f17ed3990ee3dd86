import { createStructuredClone } from "../library/structured-clone.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"structured-clone"> = (services) => ({
  structuredClone: createStructuredClone(services),
});
