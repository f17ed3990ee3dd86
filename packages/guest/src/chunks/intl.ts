import { createIntl } from "../library/intl/intl.js";
import type { InstallChunk } from "../library-chunks.js";

export const install: InstallChunk<"intl"> = ({ ask }) => createIntl(ask);
