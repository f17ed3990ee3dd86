import { CodeModeError, describeValue } from "@codemode/protocol";

/** Reads the fields of one untrusted message strictly: a wrong type or a field too many is refused. */
export interface FieldReader {
  integer(key: string, minimum: number): number;
  number(key: string, minimum: number): number;
  optionalNumber(key: string): number | undefined;
  text(key: string): string;
  optionalText(key: string): string | undefined;
  boolean(key: string): boolean;
  optionalBoolean(key: string): boolean | undefined;
  message(key: string): FieldReader;
  /** A field of any type, which must be there. */
  any(key: string): unknown;
  /** To be called last: refuses fields nobody asked for. */
  finish(): void;
}

/**
 * @param what Names the message in errors, such as `request 3`.
 * @throws {CodeModeError} `malformed_message`, from every method.
 */
export function readFields(value: unknown, from: string, what: string): FieldReader {
  const record = plainRecord(value, from, what);
  const known = new Set<string>();
  const refuse = (key: string, expected: string): never => {
    throw malformed(from, `${what}: ${key} must be ${expected}, got ${describeValue(record[key])}`);
  };
  const read = (key: string): unknown => {
    known.add(key);
    return record[key];
  };
  const integer = (key: string, minimum: number): number => {
    const field = read(key);
    const isValid = typeof field === "number" && Number.isSafeInteger(field) && field >= minimum;
    return isValid ? field : refuse(key, `an integer of at least ${minimum}`);
  };
  const optionalNumber = (key: string): number | undefined => {
    const field = read(key);
    if (field === undefined) return undefined;
    return typeof field === "number" && Number.isFinite(field) ? field : refuse(key, "a finite number");
  };
  return {
    integer,
    optionalNumber,
    number(key, minimum) {
      const field = optionalNumber(key);
      return field !== undefined && field >= minimum ? field : refuse(key, `a number of at least ${minimum}`);
    },
    text(key) {
      const field = read(key);
      return typeof field === "string" ? field : refuse(key, "a string");
    },
    optionalText(key) {
      const field = read(key);
      return field === undefined || typeof field === "string" ? field : refuse(key, "a string");
    },
    boolean(key) {
      const field = read(key);
      return typeof field === "boolean" ? field : refuse(key, "a boolean");
    },
    optionalBoolean(key) {
      const field = read(key);
      return field === undefined || typeof field === "boolean" ? field : refuse(key, "a boolean");
    },
    any(key) {
      return key in record ? read(key) : refuse(key, "present");
    },
    message: (key) => readFields(read(key), from, `${what}: ${key}`),
    finish() {
      for (const key of Object.keys(record)) {
        if (!known.has(key)) throw malformed(from, `${what}: unknown field ${describeValue(key)}`);
      }
    },
  };
}

export function malformed(from: string, problem: string): CodeModeError<"malformed_message"> {
  return new CodeModeError("malformed_message", `Malformed message from the ${from}: ${problem}.`, { from, problem });
}

function plainRecord(value: unknown, from: string, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    // A copy without a prototype, so that only own fields count.
    return Object.assign(Object.create(null) as Record<string, unknown>, value);
  }
  throw malformed(from, `${what} must be an object, got ${describeValue(value)}`);
}
