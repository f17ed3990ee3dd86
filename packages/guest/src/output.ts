import { toJsonText, utf8Bytes } from "@codemode/bridge";
import type { Callables } from "./callables.js";
import type { RequestTable } from "./request-table.js";
import { imageItem } from "./image-item.js";
import { RangeErrorConstructor, sliceText, stringifyJson, wellFormed, wholeCharacters } from "./primordials.js";

/** Blocks one cell may hand on. */
const MAX_IMAGES = 32;

/**
 * What the guest wrote with `text` and `json`. Items up to a limit of JSON characters over the cell's whole life are kept
 * whole, the item that passes it is cut, and the rest is only counted.
 */
export interface Output {
  /** Sets the limit; zero until then. */
  limitTo(maxChars: number): void;
  text(value: unknown): void;
  json(value: unknown): void;
  /** Hands an image or audio block on to the model. It takes nothing of the limit. */
  image(block: unknown): void;
  /** JSON text of an `OutputDelta` without the byte sizes of complete items (-1: the adapter counts them). */
  take(): string;
}

export function createOutput(plainFormOf: Callables["plainFormOf"], whileSealed: RequestTable["whileSealed"]): Output {
  let maxChars = 0;
  let keptChars = 0;
  let isFull = false;
  let items = "";
  let omittedItems = 0;
  let omittedBytes = 0;
  let images = 0;

  /** No tool call starts while a value is written. */
  const write = (value: unknown): string => whileSealed(() => toJsonText(value, { plainFormOf }));

  function append(item: string): void {
    if (isFull) {
      omittedItems += 1;
      omittedBytes += utf8Bytes(item);
      return;
    }
    const room = maxChars - keptChars;
    isFull = item.length > room;
    keptChars += item.length;
    const kept = isFull ? sliceText(item, 0, wholeCharacters(item, room)) : item;
    items += `${items === "" ? "" : ","}{"text":${stringifyJson(kept)},"bytes":${isFull ? utf8Bytes(item) : -1},"isComplete":${!isFull}}`;
  }

  return {
    limitTo(chars) {
      maxChars = chars;
    },
    text(value) {
      append(`{"type":"text","text":${stringifyJson(typeof value === "string" ? wellFormed(value) : write(value))}}`);
    },
    json(value) {
      append(`{"type":"json","value":${write(value)}}`);
    },
    image(block) {
      const item = whileSealed(() => imageItem(block));
      if (images === MAX_IMAGES)
        throw new RangeErrorConstructor(`image takes at most ${MAX_IMAGES} blocks in one cell.`);
      images += 1;
      items += `${items === "" ? "" : ","}{"text":${stringifyJson(item)},"bytes":-1,"isComplete":true}`;
    },
    take() {
      const delta = `{"items":[${items}],"omittedItems":${omittedItems},"omittedBytes":${omittedBytes}}`;
      items = "";
      omittedItems = 0;
      omittedBytes = 0;
      return delta;
    },
  };
}
