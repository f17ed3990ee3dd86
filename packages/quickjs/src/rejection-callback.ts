import type { QuickJSOptions } from "quickjs-wasi";
import type { VmChannel } from "./channel.js";

/** The engine's reports of unhandled rejections, on their way to the prelude. */
export interface RejectionCallback {
  readonly onUnhandledRejection: NonNullable<QuickJSOptions["onUnhandledRejection"]>;
  connect(channel: VmChannel): void;
  /** What went wrong in the prelude since the last call. It is kept: throwing through the engine would ruin the VM. */
  takeFailure(): Error | undefined;
}

export function createRejectionCallback(): RejectionCallback {
  let target: VmChannel | undefined;
  let failure: Error | undefined;
  return {
    onUnhandledRejection(promise, reason, isHandled) {
      try {
        target?.rejected(promise, reason, isHandled);
      } catch (cause) {
        failure ??= cause instanceof Error ? cause : new Error("unknown cause", { cause });
      }
    },
    connect(channel) {
      target = channel;
    },
    takeFailure() {
      const taken = failure;
      failure = undefined;
      return taken;
    },
  };
}
