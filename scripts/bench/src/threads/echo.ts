// A thread that does nothing but send back what its port brings.
import { parentPort, type MessagePort } from "node:worker_threads";

parentPort?.once("message", (port: MessagePort) => {
  port.on("message", (message: unknown) => port.postMessage(message));
  port.postMessage("ready");
});
