import { MessageChannel, Worker } from "node:worker_threads";
import { builtUrl } from "./built-url.js";
import type { Contender } from "./interleave.js";

export const ROUND_TRIP = "round trip";

/** Round trips of a small message to an idle worker, one after the other: no design that isolates in a thread beats it. */
export function roundTrips(count = 1): Contender {
  return {
    name: ROUND_TRIP,
    async open() {
      const worker = new Worker(builtUrl("threads/echo"));
      const { port1: port, port2: theirs } = new MessageChannel();
      let arrived: () => void = () => {};
      port.on("message", () => arrived());
      const arrival = () => new Promise<void>((resolve) => (arrived = resolve));
      worker.postMessage(theirs, [theirs]);
      await arrival();
      return {
        async measure() {
          const startedAt = performance.now();
          for (let done = 0; done < count; done++) {
            port.postMessage({ type: "ping", done });
            await arrival();
          }
          return (performance.now() - startedAt) / count;
        },
        async close() {
          port.close();
          await worker.terminate();
        },
      };
    },
  };
}
