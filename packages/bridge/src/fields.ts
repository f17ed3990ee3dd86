import { CodeModeError, describeValue } from "@codemode/protocol";

/**
 * Reads the fields of one untrusted message strictly: a wrong type or a field too many is refused. Only own fields count.
 *
 * Every method throws {CodeModeError} `malformed_message`.
 */
export class FieldReader {
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #from: string;
  readonly #what: string;
  /** Keys that were asked for. */
  readonly #known: string[] = [];

  /** @param what Names the message in errors, such as `request 3`. */
  constructor(value: unknown, from: string, what: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw malformed(from, `${what} must be an object, got ${describeValue(value)}`);
    }
    this.#record = value as Readonly<Record<string, unknown>>;
    this.#from = from;
    this.#what = what;
  }

  integer(key: string, minimum: number): number {
    const field = this.#read(key);
    const isValid = typeof field === "number" && Number.isSafeInteger(field) && field >= minimum;
    return isValid ? field : this.#refuse(key, `an integer of at least ${minimum}`);
  }

  number(key: string, minimum: number): number {
    const field = this.optionalNumber(key);
    if (field !== undefined && field >= minimum) return field;
    return this.#refuse(key, `a number of at least ${minimum}`);
  }

  optionalNumber(key: string): number | undefined {
    const field = this.#read(key);
    if (field === undefined) return undefined;
    return typeof field === "number" && Number.isFinite(field) ? field : this.#refuse(key, "a finite number");
  }

  text(key: string): string {
    const field = this.#read(key);
    return typeof field === "string" ? field : this.#refuse(key, "a string");
  }

  optionalText(key: string): string | undefined {
    const field = this.#read(key);
    return field === undefined || typeof field === "string" ? field : this.#refuse(key, "a string");
  }

  optionalBoolean(key: string): boolean | undefined {
    const field = this.#read(key);
    return field === undefined || typeof field === "boolean" ? field : this.#refuse(key, "a boolean");
  }

  /** A field of any type, which must be there. */
  any(key: string): unknown {
    return Object.hasOwn(this.#record, key) ? this.#read(key) : this.#refuse(key, "present");
  }

  /** To be called last: refuses fields nobody asked for. */
  finish(): void {
    for (const key in this.#record) {
      if (!this.#known.includes(key) && Object.hasOwn(this.#record, key)) {
        throw malformed(this.#from, `${this.#what}: unknown field ${describeValue(key)}`);
      }
    }
  }

  #read(key: string): unknown {
    this.#known.push(key);
    return Object.hasOwn(this.#record, key) ? this.#record[key] : undefined;
  }

  #refuse(key: string, expected: string): never {
    const got = describeValue(Object.hasOwn(this.#record, key) ? this.#record[key] : undefined);
    throw malformed(this.#from, `${this.#what}: ${key} must be ${expected}, got ${got}`);
  }
}

export function malformed(from: string, problem: string): CodeModeError<"malformed_message"> {
  return new CodeModeError("malformed_message", `Malformed message from the ${from}: ${problem}.`, { from, problem });
}
