// The entry of the soak's worker threads: the real one, around an engine that is watched.
import { createQuickJsRuntime } from "@codemode/quickjs";
import { createWorkerHandler } from "@codemode/worker/handler";
import { threadId } from "node:worker_threads";
import { openThreadPage } from "../thread-pages.js";
import { observeRuntime } from "./observed-runtime.js";

// On a thread this ends the thread, at once and whatever it does.
const die = (): void => process.exit(1);

export default createWorkerHandler(() => observeRuntime(createQuickJsRuntime(), openThreadPage(threadId), die));
