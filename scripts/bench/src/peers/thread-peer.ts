import { Worker } from "node:worker_threads";
import { echo, type OpenPeer } from "./peer.js";
import type { FromThread, ToThread } from "./thread-messages.js";

/** A peer that runs one cell at a time on a thread of its own, which speaks `FromThread`. Ready when the thread is. */
export async function openThreadPeer(url: URL): Promise<OpenPeer> {
  const worker = new Worker(url);
  const tell = (message: ToThread) => worker.postMessage(message);
  let settle: { resolve(value: unknown): void; reject(error: Error): void } | undefined;
  const next = () => new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));

  worker.on("message", (message: FromThread) => {
    switch (message.type) {
      case "call":
        return tell({ type: "reply", id: message.id, value: echo(message.input) });
      case "failed":
        return settle?.reject(new Error(message.message));
      case "ready":
        return settle?.resolve(undefined);
      case "done":
        return settle?.resolve(message.value);
    }
  });
  worker.on("error", (error: Error) => settle?.reject(error));
  await next();
  return {
    run(code) {
      tell({ type: "cell", code });
      return next();
    },
    async close() {
      await worker.terminate();
    },
  };
}
