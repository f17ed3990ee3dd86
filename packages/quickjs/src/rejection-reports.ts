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
  /** `isFatal` tells an error of the engine itself, which native code may have turned into a rejection. */
  connect(channel: VmChannel, isFatal: (reason: JSValueHandle) => boolean): void;
  /** Hands on what was kept. Throws what the engine throws meanwhile. */
  flush(): void;
  /** Gives back what was kept without handing it on. */
  discard(): void;
  /** Text of an engine's error that the guest met as a rejection; such a cell must not go on. */
  fatal(): string | undefined;
}

export function createRejectionReports(): RejectionReports {
  let channel: VmChannel | undefined;
  let isFatal: (reason: JSValueHandle) => boolean = () => false;
  let fatal: string | undefined;
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
      if (!isHandled && fatal === undefined && isFatal(reason)) fatal = "out of memory";
      kept.push({ promise: promise.dup(), reason: reason.dup(), isHandled });
      if (kept.length % MAX_KEPT === 0) tryToFlush();
    },
    connect(target, test) {
      channel = target;
      isFatal = test;
    },
    flush,
    discard() {
      for (const { promise, reason } of kept) {
        promise.dispose();
        reason.dispose();
      }
      kept = [];
      fatal = undefined;
    },
    fatal: () => fatal,
  };
}
