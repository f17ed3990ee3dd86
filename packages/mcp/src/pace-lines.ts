import { setImmediate as othersTurn } from "node:timers/promises";

/** Lines handed on at once: about half as many events. */
const LINES_PER_TURN = 128;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Hands an event stream on in parts of few lines. One that has few lines stays in the parts it comes in. */
export function paceLines(): TransformStream<Uint8Array, Uint8Array> {
  let lines = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      let start = 0;
      for (const end of lineEnds(chunk)) {
        lines += 1;
        if (lines < LINES_PER_TURN) continue;
        controller.enqueue(chunk.subarray(start, end));
        start = end;
        lines = 0;
        await othersTurn();
      }
      if (start < chunk.length) controller.enqueue(chunk.subarray(start));
    },
  });
}

/** Offsets behind each line feed and each carriage return. */
function* lineEnds(chunk: Uint8Array): Generator<number> {
  const find = (byte: number, from: number): number => {
    const found = chunk.indexOf(byte, from);
    return found < 0 ? Infinity : found;
  };
  let feed = find(LINE_FEED, 0);
  let carriage = find(CARRIAGE_RETURN, 0);
  while (feed < Infinity || carriage < Infinity) {
    const end = Math.min(feed, carriage) + 1;
    yield end;
    if (feed < end) feed = find(LINE_FEED, end);
    else carriage = find(CARRIAGE_RETURN, end);
  }
}
