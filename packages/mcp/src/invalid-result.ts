import { isObject } from "./is-object.js";

/** Faults that are named; more say nothing new. */
const MAX_FAULTS = 3;

/**
 * One clause for an answer that the client's schema refused. The client's message ends in the list of faults as JSON;
 * a message without that list is not repeated.
 */
export function describeInvalidResult(message: string): string {
  const faults = readFaults(message);
  if (faults.length === 0) return "its answer is malformed";
  const rest = faults.length > MAX_FAULTS ? `, and ${faults.length - MAX_FAULTS} more` : "";
  return `its answer is malformed: ${faults.slice(0, MAX_FAULTS).join(", ")}${rest}`;
}

function readFaults(message: string): string[] {
  let issues: unknown;
  try {
    issues = JSON.parse(message.slice(message.indexOf("[")));
  } catch {
    return [];
  }
  return Array.isArray(issues) ? issues.filter(isObject).map(describeIssue) : [];
}

function describeIssue({ path, message }: Record<string, unknown>): string {
  const place = Array.isArray(path) && path.length > 0 ? path.join(".") : "the result";
  const problem = typeof message === "string" ? message.replace(/^Invalid input: /, "") : "unusable";
  return `${place} (${problem})`;
}
