import {
  TypeErrorConstructor,
  WeakMapConstructor,
  createObject,
  defineFixed,
  weakGet,
  weakSet,
} from "../../library-primordials.js";
import type { Ask } from "../../library-services.js";
import { quoted, quotedList, quotedRecord } from "../json-fields.js";
import { addMethods, nameClass, type Method } from "../name-class.js";
import { readOptions, type OptionsOf } from "./intl-options.js";

/** The formatters of `Intl`. */
export type Kind = Exclude<OptionsOf, "Locale" | "Support">;
/** Which fields a date shows when the options name none: as the formatter has it, or as a method of Date. */
export type DateDefaults = "formatter" | "date" | "time" | "all";

interface State {
  readonly kind: Kind;
  readonly spec: string;
  /** The function its getter gave before. */
  bound: ((...inputs: unknown[]) => unknown) | undefined;
}

/** Makes formatter classes. Their objects hold what they were made of, as text: the host keeps nothing of them. */
export interface Formatters {
  /** What says which formatter is meant: JSON text, itself quoted as JSON. Not yet checked. */
  specOf(kind: Kind, locales: unknown, options: unknown, defaults?: DateDefaults): string;
  /** Asks the formatter of a spec. `inputs` is JSON, with commas between. Throws what Intl throws. */
  ask(spec: string, call: string, inputs: string): unknown;
  /** A constructor with `resolvedOptions`, `supportedLocalesOf` and these methods. */
  create(kind: Kind, methods: Record<string, Method>): FormatterClass;
  /** Asks for an object of a class, refusing any other. */
  askFor(self: unknown, kind: Kind, call: string, inputs: string): unknown;
  stateOf(self: unknown, kind: Kind): State;
}

export interface FormatterClass {
  readonly prototype: object;
}

export function createFormatters(ask: Ask, tagsOf: (locales: unknown) => string[]): Formatters {
  const states = new WeakMapConstructor<object, State>();

  function specOf(kind: Kind, locales: unknown, options: unknown, defaults: DateDefaults = "formatter"): string {
    const fields = `"locales":${quotedList(tagsOf(locales))},"options":${quotedRecord(readOptions(kind, options))}`;
    return quoted(`{"kind":"${kind}",${fields},"defaults":"${defaults}"}`);
  }

  function askSpec(spec: string, call: string, inputs: string): unknown {
    return ask(`{"ask":"format","spec":${spec},"call":"${call}","inputs":[${inputs}]}`);
  }

  function stateOf(self: unknown, kind: Kind): State {
    const state = typeof self === "object" && self !== null ? weakGet(states, self) : undefined;
    if (state?.kind === kind) return state;
    throw new TypeErrorConstructor(`The method needs an Intl.${kind} as its this.`);
  }

  const askFor = (self: unknown, kind: Kind, call: string, inputs: string): unknown =>
    askSpec(stateOf(self, kind).spec, call, inputs);

  function create(kind: Kind, methods: Record<string, Method>): FormatterClass {
    const isCallable = kind === "NumberFormat" || kind === "DateTimeFormat" || kind === "Collator";
    function Formatter(this: unknown, locales?: unknown, options?: unknown): object {
      if (new.target === undefined && !isCallable) {
        throw new TypeErrorConstructor(`Constructor Intl.${kind} requires 'new'`);
      }
      const self = (new.target === undefined ? createObject(Formatter.prototype as object) : this) as object;
      const spec = specOf(kind, locales, options);
      ask(`{"ask":"check","spec":${spec}}`);
      weakSet(states, self, { kind, spec, bound: undefined });
      return self;
    }
    defineFixed(Formatter, "prototype", Formatter.prototype as object);
    addMethods(Formatter.prototype as object, methods);
    addMethods(Formatter.prototype as object, {
      resolvedOptions(this: unknown) {
        return askFor(this, kind, "resolvedOptions", "");
      },
    });
    addMethods(Formatter, {
      supportedLocalesOf(locales?: unknown, options?: unknown) {
        const tags = quotedList(tagsOf(locales));
        const read = quotedRecord(readOptions("Support", options));
        return ask(`{"ask":"supported","kind":"${kind}","locales":${tags},"options":${read}}`);
      },
    });
    nameClass(Formatter, kind, `Intl.${kind}`);
    return Formatter;
  }

  return { specOf, ask: askSpec, create, askFor, stateOf };
}
