/** The built entry of a worker thread, for `createSupervisor`. */
export const workerUrl = new URL("../dist/entry.js", import.meta.url);
