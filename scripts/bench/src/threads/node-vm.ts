// A thread that makes a `node:vm` context per cell, with the tool `echo`.
import { createContext, runInContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import type { FromThread, ToThread } from "../peers/thread-messages.js";

const replies = new Map<number, (value: unknown) => void>();
const tell = (message: FromThread) => parentPort?.postMessage(message);
let lastId = 0;

parentPort?.on("message", (message: ToThread) => {
  if (message.type === "reply") {
    replies.get(message.id)?.(message.value);
    replies.delete(message.id);
    return;
  }
  evaluate(message.code).then(
    (value) => tell({ type: "done", value }),
    (error: unknown) => tell({ type: "failed", message: String(error) }),
  );
});
tell({ type: "ready" });

async function evaluate(code: string): Promise<unknown> {
  const context = createContext({ echo });
  return (await runInContext(`(async () => {${code}\n})()`, context)) as unknown;
}

function echo(input: unknown): Promise<unknown> {
  const id = ++lastId;
  tell({ type: "call", id, input });
  return new Promise((resolve) => replies.set(id, resolve));
}
