/** What a client is told while its call runs. Owned: `end` it. */
export interface ProgressReporter {
  /** The newest text; sent now, or soon when one was sent just before. */
  tell(message: string): void;
  end(): void;
}

export interface ProgressReporterOptions {
  /** Sends one notification; `progress` rises by one each time. Never throws. */
  readonly send: (progress: number, message: string) => void;
  /** Least time between two notifications, in ms. Default 200. */
  readonly minIntervalMs?: number;
  /** Longest silence while nothing changes, in ms: a client may count on signs of life. Default 5_000. */
  readonly heartbeatMs?: number;
}

export function createProgressReporter(options: ProgressReporterOptions): ProgressReporter {
  const { send, minIntervalMs = 200, heartbeatMs = 5_000 } = options;
  let message = "";
  let progress = 0;
  let isFresh = false;
  let isPaused = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function sendNow(): void {
    clearTimeout(timer);
    isFresh = false;
    isPaused = true;
    progress += 1;
    send(progress, message);
    timer = setTimeout(afterPause, minIntervalMs).unref();
  }

  function afterPause(): void {
    isPaused = false;
    if (isFresh) sendNow();
    else timer = setTimeout(sendNow, Math.max(0, heartbeatMs - minIntervalMs)).unref();
  }

  return {
    tell(next) {
      if (isEnded || next === message) return;
      message = next;
      isFresh = true;
      if (!isPaused) sendNow();
    },
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
