/** Hands on the first value at once, and of those that follow too soon only the newest. Owned: `end` it. */
export interface Thinned<T> {
  push(value: T): void;
  /** What is not handed on by now never is. */
  end(): void;
}

/** `deliver` is called at most once per interval, in ms. It must not throw. */
export function thinned<T>(deliver: (value: T) => void, intervalMs: number): Thinned<T> {
  let held: { readonly value: T } | undefined;
  let pause: NodeJS.Timeout | undefined;
  let isEnded = false;

  function handOn(value: T): void {
    pause = setTimeout(() => {
      pause = undefined;
      const next = held;
      held = undefined;
      if (next !== undefined) handOn(next.value);
    }, intervalMs).unref();
    deliver(value);
  }

  return {
    push(value) {
      if (isEnded) return;
      if (pause === undefined) handOn(value);
      else held = { value };
    },
    end() {
      isEnded = true;
      clearTimeout(pause);
    },
  };
}
