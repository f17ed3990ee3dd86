import {
  FunctionPrototype,
  WeakMapConstructor,
  apply,
  createObject,
  defineProperty,
  freeze,
  hasOwn,
  parseJson,
  weakGet,
  weakSet,
} from "./primordials.js";
import type { ReadResult } from "./request-table.js";
import type { SurfaceReader } from "./surface-reader.js";

/** `MCP.<server>.<tool>.value(input)`: the call whose result is only what the tool said. */
export interface Unwrapping {
  /**
   * Prototype of the functions that have `value`. The function it gives is made when it is first asked for, so that one
   * that is never asked for takes no memory.
   */
  readonly prototype: object;
  /** How the result of the call that starts now is read; undefined when it is handed over as it is. */
  takeRead(binding: number): ((result: unknown) => ReadResult) | undefined;
}

export function createUnwrapping(surface: Pick<SurfaceReader, "callableName">): Unwrapping {
  const made = new WeakMapConstructor<object, unknown>();
  const prototype = createObject(FunctionPrototype) as object;
  let isUnwrapped = false;

  function valueOf(callable: Callable): unknown {
    const known = weakGet(made, callable);
    if (known !== undefined) return known;
    const value = (...inputs: unknown[]): unknown => {
      isUnwrapped = true;
      try {
        return apply(callable, undefined, inputs);
      } finally {
        isUnwrapped = false;
      }
    };
    weakSet(made, callable, freeze(value));
    return value;
  }

  const descriptor = createObject(null) as PropertyDescriptor;
  descriptor.get = function (this: unknown) {
    return typeof this === "function" ? valueOf(this as Callable) : undefined;
  };
  defineProperty(prototype, "value", descriptor);
  return {
    prototype: freeze(prototype),
    takeRead(binding) {
      if (!isUnwrapped) return undefined;
      isUnwrapped = false;
      return (result) => unwrap(result, () => surface.callableName(binding));
    },
  };
}

type Callable = (...inputs: unknown[]) => unknown;

/**
 * `structuredContent`, else the text as JSON, else the text; a result without either gives its blocks, and one that was cut
 * stays the truncation marker. One that says `isError` is a failure with its text.
 */
function unwrap(result: unknown, nameOf: () => string): ReadResult {
  const content = ownField(result, "content") as readonly unknown[] | undefined;
  if (content === undefined) return { isFailure: false, value: result };
  const { text, texts } = textOf(content);
  if (ownField(result, "isError") === true) {
    return { isFailure: true, message: text === "" ? `${nameOf()} reported an error without a text.` : text };
  }
  const structured = ownField(result, "structuredContent");
  if (structured !== undefined) return { isFailure: false, value: structured };
  return { isFailure: false, value: texts === 0 && content.length > 0 ? content : jsonOr(text) };
}

/** The text blocks on lines of their own. */
function textOf(content: readonly unknown[]): { readonly text: string; readonly texts: number } {
  let text = "";
  let texts = 0;
  for (let index = 0; index < content.length; index++) {
    const block = content[index];
    const part = ownField(block, "text");
    if (ownField(block, "type") !== "text" || typeof part !== "string") continue;
    text += texts === 0 ? part : `\n${part}`;
    texts += 1;
  }
  return { text, texts };
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** A field of plain data, whatever the guest gave to all objects. */
function ownField(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
