import type { Engine } from "./engine.js";
import { createHostLibrary, type HostLibrary } from "./library/host-library.js";
import { createScripts, type Scripts } from "./scripts.js";

/** What all VMs of a runtime share to serve the guest. Holds nothing of a cell's. */
export interface GuestSupport {
  readonly library: HostLibrary;
  /** Owned. */
  readonly scripts: Scripts;
}

export async function createGuestSupport(engine: Engine): Promise<GuestSupport> {
  return { library: createHostLibrary(), scripts: await createScripts(engine) };
}
