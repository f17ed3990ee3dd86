import { builtUrl } from "../built-url.js";
import type { Peer } from "./peer.js";
import { openThreadPeer } from "./thread-peer.js";

/** The engine alone in one worker: create and evaluate per cell, no tools. */
export const bareQuickJsWasi: Peer = {
  name: "bare quickjs-wasi",
  open: () => openThreadPeer(builtUrl("threads/bare-quickjs-wasi")),
};
