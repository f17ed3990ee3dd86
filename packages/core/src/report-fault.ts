import { types } from "node:util";
import { toPlainError } from "@codemode/bridge";
import type { Redactor } from "@codemode/telemetry";

/**
 * Makes faults visible as process warnings. Only a real error is shown as it is, and only when its text holds no secret: a
 * proxy may throw whatever one asks of it, and a fault may carry what a tool said. Never throws.
 */
export function createFaultReporter(redactor: Redactor): (fault: unknown) => void {
  return (fault) => process.emitWarning(warningOf(fault, redactor));
}

function warningOf(fault: unknown, redactor: Redactor): Error {
  const { name, message } = toPlainError(fault);
  const shown = redactor.text(message);
  if (types.isNativeError(fault)) {
    if (shown === message) return fault;
    return Object.assign(new Error(shown), { name });
  }
  const text = `code mode met a fault: ${name}: ${shown}`;
  return shown === message ? new Error(text, { cause: fault }) : new Error(text);
}
