import type { QuickJSOptions } from "quickjs-wasi";
import type { Engine } from "./engine.js";

/** Native stack the guest may use. With 4 MiB of thread stack every overflow stays catchable in the guest. */
const MAX_STACK_BYTES = 256 * 1024;

/** Memory limit while a base or an image is built; each cell has its own on top. */
export const IMAGE_MEMORY_LIMIT_BYTES = 1024 * 1024 * 1024;

/** What differs between the engine's instances. */
export type InstanceSettings = Required<
  Pick<QuickJSOptions, "wasi" | "memoryLimit" | "interruptHandler" | "onUnhandledRejection">
>;

/** How every instance is set up. What is set lies in the VM's memory too, so all that share memory need all of it. */
export function engineSettings({ module }: Engine, settings: InstanceSettings): QuickJSOptions {
  return { wasm: module, maxStackSize: MAX_STACK_BYTES, timezoneOffset: 0, ...settings };
}
