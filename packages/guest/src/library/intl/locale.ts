import { TypeErrorConstructor, toText } from "../../library-primordials.js";
import type { Ask } from "../../library-services.js";
import { quoted, quotedRecord } from "../json-fields.js";
import { addGetter, nameClass } from "../name-class.js";
import { readOptions } from "./intl-options.js";

type Parts = Readonly<Record<string, unknown>> & { readonly tag: string };

const PART_NAMES = [
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "language",
  "numberingSystem",
  "numeric",
  "region",
  "script",
];

/** `Intl.Locale`, and how to know the tag of one. */
export interface LocaleClass {
  readonly Locale: object;
  tagOf(value: object): string | undefined;
}

export function createLocaleClass(ask: Ask): LocaleClass {
  let tagOf!: LocaleClass["tagOf"];
  let partOf!: (locale: unknown, name: string) => unknown;

  class Locale {
    readonly #parts: Parts;

    static {
      tagOf = (value) => (#parts in value ? value.#parts.tag : undefined);
      partOf = (locale, name) => (locale as Locale).#parts[name] ?? undefined;
    }

    constructor(tag: unknown, options?: unknown) {
      if (typeof tag !== "string" && (typeof tag !== "object" || tag === null)) {
        throw new TypeErrorConstructor("First argument to Intl.Locale constructor can't be empty or missing");
      }
      const text = typeof tag === "string" ? tag : (tagOf(tag) ?? toText(tag));
      this.#parts = this.#ask(text, quotedRecord(readOptions("Locale", options)));
    }
    maximize(): Locale {
      return new Locale(this.#ask(this.#parts.tag, "{}", "maximize").tag);
    }
    minimize(): Locale {
      return new Locale(this.#ask(this.#parts.tag, "{}", "minimize").tag);
    }
    toString(): string {
      return this.#parts.tag;
    }
    #ask(tag: string, options: string, change?: "maximize" | "minimize"): Parts {
      const changeField = change === undefined ? "" : `,"change":"${change}"`;
      return ask(`{"ask":"locale","tag":${quoted(tag)},"options":${options}${changeField}}`) as Parts;
    }
  }

  for (let index = 0; index < PART_NAMES.length; index++) {
    const name = PART_NAMES[index] as string;
    addGetter(Locale.prototype, name, function () {
      return partOf(this, name);
    });
  }
  nameClass(Locale, "Locale", "Intl.Locale");
  return { Locale, tagOf };
}
