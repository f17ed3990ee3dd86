import type { QuickJSOptions } from "quickjs-wasi";
import type { VmChannel } from "./channel.js";

/** The engine's reports of unhandled rejections, on their way to the prelude. */
export interface RejectionCallback {
  readonly onUnhandledRejection: NonNullable<QuickJSOptions["onUnhandledRejection"]>;
  connect(channel: VmChannel): void;
  /** What went wrong in the prelude since the last call. It is kept: throwing through the engine would ruin the VM. */
  takeError(): unknown;
}

export function createRejectionCallback(): RejectionCallback {
  let target: VmChannel | undefined;
  let error: unknown;
  return {
    onUnhandledRejection(promise, reason, isHandled) {
      try {
        target?.rejected(promise, reason, isHandled);
      } catch (cause) {
        error ??= cause;
      }
    },
    connect(channel) {
      target = channel;
    },
    takeError() {
      const taken = error;
      error = undefined;
      return taken;
    },
  };
}
