export { workerUrl } from "./worker-url.js";
