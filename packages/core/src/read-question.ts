import { encodeJson } from "@codemode/bridge";
import { compileSchema, type SchemaValidator } from "@codemode/json-schema";
import { CodeModeError, describeValue, type ElicitationQuestion } from "@codemode/protocol";

const MAX_MESSAGE_CHARS = 4_000;
const MAX_SCHEMA_BYTES = 16 * 1024;
const MAX_FIELDS = 32;
const FIELD_TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array"]);

/** A question that may be shown, with the check of what is filled in. */
export interface ReadQuestion {
  readonly question: ElicitationQuestion;
  /** Names of the form's fields. */
  readonly fields: ReadonlySet<string>;
  readonly fits: SchemaValidator;
}

/** Reads what a tool asks; its declared type is not trusted. @throws {CodeModeError} `invalid_argument` */
export function readQuestion(asked: ElicitationQuestion): ReadQuestion {
  const { mode, message, requestedSchema }: { readonly [Name in keyof ElicitationQuestion]: unknown } = asked;
  if (mode !== "form") throw invalid("mode", `must be "form", not ${describeValue(mode)}`);
  if (typeof message !== "string") throw invalid("message", `must be a string, not ${describeValue(message)}`);
  if (message.length > MAX_MESSAGE_CHARS) {
    throw invalid("message", `has ${message.length} characters, and ${MAX_MESSAGE_CHARS} are allowed`);
  }
  const schema = plainSchema(requestedSchema);
  const fields = fieldsOf(schema);
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw invalid("requestedSchema", `is invalid: ${compiled.problem.replace(/\.$/, "")}`);
  return { question: { mode, message, requestedSchema: schema }, fields, fits: compiled.validator };
}

/** A copy that is nothing but data. */
function plainSchema(schema: unknown): Readonly<Record<string, unknown>> {
  const { text, bytes, isComplete } = encodeJson(schema, MAX_SCHEMA_BYTES);
  if (!isComplete) {
    throw invalid("requestedSchema", `has ${bytes} bytes, and ${MAX_SCHEMA_BYTES} are allowed`);
  }
  const plain: unknown = JSON.parse(text);
  if (isObject(plain)) return plain;
  throw invalid("requestedSchema", `must be an object, not ${describeValue(plain)}`);
}

function fieldsOf(schema: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const properties = schema["properties"];
  if (schema["type"] !== "object" || !isObject(properties)) {
    throw invalid("requestedSchema", 'must have the type "object" and properties');
  }
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) {
    throw invalid("requestedSchema", `has ${entries.length} properties, and ${MAX_FIELDS} are allowed`);
  }
  const nested = entries.findIndex(([, field]) => !isObject(field) || !FIELD_TYPES.has(field["type"]));
  if (nested >= 0) throw invalid("requestedSchema", `has no flat type for its property number ${nested + 1}`);
  return new Set(Object.keys(properties));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `The question's ${path} ${problem}.`, { path, problem });
}
