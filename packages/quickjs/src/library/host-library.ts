import { randomBytes } from "node:crypto";
import type { GuestSurface } from "@codemode/protocol";
import { surfaceAnswer } from "../surface-answers.js";
import { createFormatterCache } from "./formatter-cache.js";
import { supportedLocales, type Formatter } from "./intl-formatters.js";
import { letterCaseAnswer, localeAnswer } from "./locale-answers.js";
import { localesField, malformed, optionsField, parseFields, textField, wordField } from "./library-request.js";
import type { Fields } from "./library-request.js";
import { queryAnswer, queryTextAnswer, urlAnswer, urlPartAnswer } from "./url-answers.js";

const MAX_ERROR_CHARS = 300;
const MAX_RANDOM_BYTES = 65_536;
const MAX_SPEC_CHARS = 32_768;

/** Who asks. Answers depend on the question and the surface alone, but for random bytes. */
export interface Asker {
  /** Seeded cells get null for random bytes: theirs come from their own seeded sequence. */
  readonly isSeeded: boolean;
  readonly surface: GuestSurface;
}

/** What the guest's prelude and library ask the host, synchronously: one question and one answer, both JSON text. */
export interface HostLibrary {
  /** Never throws: `{"value": …}`, or `{"error": {"name", "message"}}` with a RangeError or TypeError for the guest. */
  answer(question: string, asker: Asker): string;
}

export function createHostLibrary(): HostLibrary {
  const formatterOf = createFormatterCache();
  return {
    answer(question, { isSeeded, surface }) {
      try {
        const fields = parseFields(question);
        const ofSurface = surfaceAnswer(fields, surface);
        const value = ofSurface === undefined ? valueOf(fields, formatterOf, isSeeded) : ofSurface;
        return `{"value":${JSON.stringify(value ?? null)}}`;
      } catch (error) {
        return JSON.stringify({ error: errorForGuest(error) });
      }
    },
  };
}

function valueOf(fields: Fields, formatterOf: (spec: string) => Formatter, isSeeded: boolean): unknown {
  switch (fields["ask"]) {
    case "check":
      formatterOf(textField(fields, "spec", MAX_SPEC_CHARS));
      return true;
    case "format":
      return formatterOf(textField(fields, "spec", MAX_SPEC_CHARS))(wordField(fields, "call"), inputsOf(fields));
    case "supported":
      return supportedLocales(fields["kind"], localesField(fields), optionsField(fields));
    case "canonical":
      return Intl.getCanonicalLocales(localesField(fields));
    case "values":
      return Intl.supportedValuesOf(wordField(fields, "key") as "calendar");
    case "locale":
      return localeAnswer(fields);
    case "case":
      return letterCaseAnswer(fields);
    case "url":
      return urlAnswer(fields);
    case "url-part":
      return urlPartAnswer(fields);
    case "query":
      return queryAnswer(fields);
    case "query-text":
      return queryTextAnswer(fields);
    case "random":
      return isSeeded ? null : randomAnswer(fields);
    default:
      throw malformed("ask");
  }
}

function inputsOf(fields: Fields): readonly unknown[] {
  const inputs = fields["inputs"];
  if (!Array.isArray(inputs)) throw malformed("inputs");
  return inputs;
}

function randomAnswer(fields: Fields): string {
  const bytes = fields["bytes"];
  if (typeof bytes !== "number" || !Number.isInteger(bytes) || bytes < 0 || bytes > MAX_RANDOM_BYTES) {
    throw malformed("bytes");
  }
  return randomBytes(bytes).toString("base64");
}

/** Texts of Intl's own errors say only what the guest asked; nothing else of the host's gets out. */
function errorForGuest(error: unknown): { name: "RangeError" | "TypeError"; message: string } {
  if (error instanceof RangeError || error instanceof TypeError) {
    const name = error instanceof RangeError ? "RangeError" : "TypeError";
    return { name, message: error.message.slice(0, MAX_ERROR_CHARS) };
  }
  return { name: "TypeError", message: "The guest library could not be answered." };
}
