import { JSException, type JSValueHandle, type QuickJSOptions } from "quickjs-wasi";
import type { VmChannel } from "./channel.js";

/** Reports kept before they are handed on in between; so many handles cost little. */
const MAX_KEPT = 10_000;

interface Report {
  readonly promise: JSValueHandle;
  readonly reason: JSValueHandle;
  readonly isHandled: boolean;
}

/**
 * The engine's reports of unhandled rejections, on their way to the prelude. They come at any depth of the guest's stack,
 * where calling the prelude could overflow it, so they are kept and handed on when the guest rests.
 */
export interface RejectionReports {
  readonly onUnhandledRejection: NonNullable<QuickJSOptions["onUnhandledRejection"]>;
  connect(channel: VmChannel): void;
  /** Hands on what was kept. Throws what the engine throws meanwhile. */
  flush(): void;
  /** Gives back what was kept without handing it on. */
  discard(): void;
}

export function createRejectionReports(): RejectionReports {
  let channel: VmChannel | undefined;
  let kept: Report[] = [];

  /** A report is given back only when the prelude has it; where handing on fails, it and the rest stay. */
  function flush(): void {
    let handedOn = 0;
    try {
      for (; handedOn < kept.length; handedOn++) {
        const { promise, reason, isHandled } = kept[handedOn] as Report;
        channel?.rejected(promise, reason, isHandled);
        promise.dispose();
        reason.dispose();
      }
    } finally {
      kept.splice(0, handedOn);
    }
  }

  /** Inside the engine nothing may be thrown; what fails here is tried again when the guest rests. */
  function tryToFlush(): void {
    try {
      flush();
    } catch (cause) {
      if (cause instanceof JSException) cause.dispose();
    }
  }

  return {
    onUnhandledRejection(promise, reason, isHandled) {
      if (channel === undefined) return;
      kept.push({ promise: promise.dup(), reason: reason.dup(), isHandled });
      if (kept.length % MAX_KEPT === 0) tryToFlush();
    },
    connect(target) {
      channel = target;
    },
    flush,
    discard() {
      for (const { promise, reason } of kept) {
        promise.dispose();
        reason.dispose();
      }
      kept = [];
    },
  };
}
