import { createCrypto } from "../library/crypto.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"crypto"> = ({ ask }) => ({ crypto: createCrypto(ask) });
