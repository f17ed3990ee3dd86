import {
  CodeModeError,
  createShapeCheck,
  OutputDeltaSchema,
  Type,
  type OutputDelta,
  type Static,
} from "@codemode/protocol";
import { utf8Bytes } from "@codemode/bridge";

// `bytes` of complete items is -1: the adapter counts them, natively.
const RawOutput = Type.Object({
  items: Type.Array(Type.Object({ text: Type.String(), bytes: Type.Integer(), isComplete: Type.Boolean() })),
  omittedItems: OutputDeltaSchema.properties.omittedItems,
  omittedBytes: OutputDeltaSchema.properties.omittedBytes,
});

const ChannelStepSchema = Type.Union([
  /** Jobs must run first. */
  Type.Object({ type: Type.Literal("again") }),
  Type.Object({
    type: Type.Literal("boundary"),
    requests: Type.Array(Type.Unknown()),
    cancelled: Type.Array(Type.Integer({ minimum: 1 })),
    isSettled: Type.Boolean(),
    output: RawOutput,
  }),
  Type.Object({ type: Type.Literal("completed"), output: RawOutput }),
  Type.Object({
    type: Type.Literal("failed"),
    phase: Type.Enum(["guest", "bridge"]),
    message: Type.String(),
    stack: Type.String(),
    output: RawOutput,
  }),
  // The guest asked for too much in one step.
  Type.Object({ type: Type.Literal("refused"), message: Type.String(), output: RawOutput }),
]);
export type ChannelStep = Static<typeof ChannelStepSchema>;

const isChannelStep = createShapeCheck(ChannelStepSchema);
const isRawOutput = createShapeCheck(RawOutput);

/** A step and the text that came behind it. */
export interface SentStep {
  readonly step: ChannelStep;
  readonly payload: string;
}

/** Decodes what the prelude says. It ran beside hostile code, so nothing is taken on trust. */
export function readChannelStep(text: string): SentStep {
  const end = text.indexOf("\n");
  const step: unknown = JSON.parse(end < 0 ? text : text.slice(0, end));
  if (isChannelStep(step)) return { step, payload: end < 0 ? "" : text.slice(end + 1) };
  throw malformed();
}

/** The requests with each call's input, which came as a length, cut from the payload. */
export function withInputs(requests: readonly unknown[], payload: string): unknown[] {
  let from = 0;
  const complete = requests.map((request) => {
    if (typeof request !== "object" || request === null || !("input" in request)) return request;
    const { input } = request;
    if (!Number.isSafeInteger(input) || (input as number) < 0) throw malformed();
    const end = from + (input as number);
    const text = payload.slice(from, end);
    from = end;
    return { ...request, input: text };
  });
  if (from !== payload.length) throw malformed();
  return complete;
}

/** Output on its own. @throws {CodeModeError} `malformed_message`. */
export function readOutputText(text: string): OutputDelta {
  const value: unknown = JSON.parse(text);
  if (isRawOutput(value)) return readOutput(value);
  throw malformed();
}

export function readOutput(raw: Static<typeof RawOutput>): OutputDelta {
  return {
    items: raw.items.map((item) => (item.isComplete ? { ...item, bytes: utf8Bytes(item.text) } : item)),
    omittedItems: raw.omittedItems,
    omittedBytes: raw.omittedBytes,
  };
}

function malformed(): CodeModeError {
  const details = { from: "guest", problem: "unknown shape" };
  return new CodeModeError("malformed_message", "The guest's step has an unknown shape.", details);
}
