import { builtUrl } from "../built-url.js";
import type { Peer } from "./peer.js";
import { openThreadPeer } from "./thread-peer.js";

/** A `node:vm` context per cell in one worker: no isolation from the worker's own realm. */
export const nodeVm: Peer = { name: "node:vm in a worker", open: () => openThreadPeer(builtUrl("threads/node-vm")) };
