import { boundJson, toJsonValue } from "@codemode/bridge";
import type { CodeModeEvent } from "@codemode/protocol";
import { redactValue, type Redactor } from "@codemode/telemetry";

const TOPICS = ["surface", "payload", "events"] as const;
type DebugTopic = (typeof TOPICS)[number];
const MAX_VIEW_BYTES = 32 * 1024;

/** What people see while they look for a mistake: one line of JSON a view, redacted and at most 32 KiB. */
export interface DebugView {
  /** What the model is told, and what is hidden from it. */
  surface(describe: () => unknown): void;
  /** A request to the model's provider, before it is checked. */
  payload(payload: unknown): void;
  event(event: CodeModeEvent): void;
}

export interface DebugViewOptions {
  /** The topics, separated by commas; `1` and `all` mean all of them. Others are ignored. */
  readonly wanted: string | undefined;
  readonly redactor: Redactor;
  /** Takes one line without its end. */
  readonly write: (line: string) => void;
}

/** Undefined when nothing is wanted, so that nobody pays for it. No method throws. */
export function createDebugView({ wanted, redactor, write }: DebugViewOptions): DebugView | undefined {
  const topics = readTopics(wanted);
  if (topics.size === 0) return undefined;

  function show(topic: DebugTopic, describe: () => unknown): void {
    if (!topics.has(topic)) return;
    try {
      const shown = redactValue(toJsonValue(describe()), redactor);
      write(`codemode ${JSON.stringify({ topic, view: boundJson(shown, MAX_VIEW_BYTES).value })}`);
    } catch {
      write(`codemode ${JSON.stringify({ topic, view: "[cannot be shown]" })}`);
    }
  }

  return {
    surface: (describe) => show("surface", describe),
    payload: (payload) => show("payload", () => payload),
    event: (event) => show("events", () => event),
  };
}

function readTopics(wanted = ""): ReadonlySet<DebugTopic> {
  const words = wanted.split(",").map((word) => word.trim().toLowerCase());
  if (words.includes("1") || words.includes("all")) return new Set(TOPICS);
  return new Set(TOPICS.filter((topic) => words.includes(topic)));
}
