import { ProtocolError, ProtocolErrorCode, type StandardSchemaV1 } from "@modelcontextprotocol/server";
import { isObject } from "../../is-object.js";

/** Longest id that is looked up, in characters. */
const MAX_ID_CHARS = 200;

/** What a request about one task says. */
export const TASK_ID = paramsSchema(
  ({ taskId }) => (typeof taskId === "string" && taskId.length <= MAX_ID_CHARS ? { taskId } : undefined),
  "taskId must be the id of a task",
);

/** In the form the library takes schemas in. `read` gives undefined for params with that problem. */
export function paramsSchema<T>(
  read: (params: Readonly<Record<string, unknown>>) => T | undefined,
  problem: string,
): StandardSchemaV1<unknown, T> {
  return {
    "~standard": {
      version: 1,
      vendor: "codemode",
      validate(value) {
        const params = isObject(value) ? read(value) : undefined;
        return params === undefined ? { issues: [{ message: problem }] } : { value: params };
      },
    },
  };
}

/** What was found of a task. @throws {ProtocolError} invalid params, when nothing was */
export function known<T>(found: T | undefined): T {
  if (found === undefined) throw invalidParams("There is no task of that id, or its time to live is over.");
  return found;
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
