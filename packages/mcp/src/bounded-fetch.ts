import type { FetchLike } from "@modelcontextprotocol/client";

import { paceLines } from "./pace-lines.js";

const EVENT_STREAM = "text/event-stream";
/** Longest body that is a list of messages, in bytes: the client library takes all of them at once. */
const MAX_BATCH_BYTES = 64 * 1024;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * `fetch` whose answers break when one message in them is larger than `maxMessageBytes`. Many messages come a few at a
 * time, so that everything else has its turn in between.
 */
export function createBoundedFetch(maxMessageBytes: number): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes(EVENT_STREAM) === true;
    const { status, statusText, headers } = response;
    const body = isStream
      ? response.body.pipeThrough(boundMessages(maxMessageBytes, true)).pipeThrough(paceLines())
      : response.body.pipeThrough(boundMessages(maxMessageBytes, false)).pipeThrough(boundBatch());
    return new Response(body, { status, statusText, headers });
  };
}

/** Breaks a body at the first message above the bound; in an event stream an empty line ends a message. */
function boundMessages(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (let start = 0; start < chunk.length;) {
        const lineFeed = isStream ? chunk.indexOf(LINE_FEED, start) : -1;
        const end = lineFeed < 0 ? chunk.length : lineFeed + 1;
        // A line of a carriage return alone is empty, too.
        isLineEmpty &&= lineFeed >= 0 && (end - start === 1 || (end - start === 2 && chunk[start] === CARRIAGE_RETURN));
        bytes = isLineEmpty ? 0 : bytes + end - start;
        if (bytes > maxBytes) {
          controller.error(new Error(`its answer is larger than ${maxBytes} bytes; ask for less at a time`));
          return;
        }
        if (lineFeed >= 0) isLineEmpty = true;
        start = end;
      }
      controller.enqueue(chunk);
    },
  });
}

const OPENING_BRACKET = 0x5b;
const SPACE: ReadonlySet<number> = new Set([9, 10, 13, 32]);

function boundBatch(): TransformStream<Uint8Array, Uint8Array> {
  let isBatch: boolean | undefined;
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      const first = isBatch === undefined ? chunk.find((byte) => !SPACE.has(byte)) : undefined;
      if (first !== undefined) isBatch = first === OPENING_BRACKET;
      if (isBatch === true && bytes > MAX_BATCH_BYTES) {
        controller.error(new Error(`its answer is a list of more than ${MAX_BATCH_BYTES} bytes`));
        return;
      }
      controller.enqueue(chunk);
    },
  });
}
