import { CodeModeErrorCodeSchema, FailurePhaseSchema } from "./error-codes.js";
import { CodeModeTelemetrySchema } from "./telemetry.js";
import { Type, type Static } from "./schema-builder.js";

export const LANGUAGES = ["javascript", "typescript"] as const;
export type CellLanguage = (typeof LANGUAGES)[number];

/** Arguments of the model's `exec` tool. Flat on purpose: some providers refuse unions. */
export const ExecInputSchema = Type.Object(
  {
    code: Type.String({ description: "The program: the body of an async function." }),
    command: Type.Optional(Type.String({ description: "Alias of code." })),
    language: Type.Optional(
      Type.Unsafe<CellLanguage>({ type: "string", enum: [...LANGUAGES], description: "Default javascript." }),
    ),
    restartSafe: Type.Optional(Type.Boolean({ description: "Leave out unless the host asked for a replay." })),
    title: Type.Optional(Type.String({ maxLength: 120, description: "A few words for display." })),
  },
  { additionalProperties: false },
);
/** What `exec` accepts: one of `code` and `command` must be a non-empty string. */
export type ExecInput = Partial<Static<typeof ExecInputSchema>>;

/** Arguments of the model's `wait` tool. */
export const WaitInputSchema = Type.Object(
  { runId: Type.String({ description: "The top-level runId of a result with status waiting." }) },
  { additionalProperties: false },
);
export type WaitInput = Static<typeof WaitInputSchema>;

export const OutputItemSchema = Type.Union([
  Type.Object({ type: Type.Literal("text"), text: Type.String() }),
  Type.Object({ type: Type.Literal("json"), value: Type.Unknown() }),
  Type.Object({
    type: Type.Literal("image"),
    /** Names the block at the run that made the result, while it keeps it. */
    ref: Type.String(),
    mimeType: Type.String(),
    /** Size of the decoded data. */
    bytes: Type.Integer({ minimum: 0 }),
  }),
]);
/** One item the guest wrote with `text`, `json` or `image` (a picture or a sound), in guest order. */
export type CodeModeOutput = Static<typeof OutputItemSchema>;

export const PendingToolCallSchema = Type.Object({ id: Type.String(), name: Type.String() });
/** A nested call that has not settled; `name` as the guest calls it. */
export type PendingToolCall = Static<typeof PendingToolCallSchema>;

export const LedgerCallSchema = Type.Object({
  name: Type.String(),
  status: Type.Enum(["completed", "failed", "unknown"]),
});
/** One row of the effect ledger. `unknown`: dispatched, and nobody knows whether it took effect. */
export type LedgerCall = Static<typeof LedgerCallSchema>;

export const SourceLocationSchema = Type.Object({
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
});
/** A place in the submitted source: 1-based, columns in UTF-16 units. */
export type SourceLocation = Static<typeof SourceLocationSchema>;

const shared = {
  /**
   * Whether the cell may be run again from its source: so far it has called nothing but what is proven replay-safe, also
   * in vain. Once false it stays false, across waits. Absent when no cell was started.
   */
  replaySafe: Type.Optional(Type.Boolean()),
  output: Type.Optional(Type.Array(OutputItemSchema)),
  warnings: Type.Optional(Type.Array(Type.String())),
  telemetry: CodeModeTelemetrySchema,
};

export const CompletedResultSchema = Type.Object({
  status: Type.Literal("completed"),
  value: Type.Unknown(),
  ...shared,
});
export const WaitingResultSchema = Type.Object({
  status: Type.Literal("waiting"),
  runId: Type.String(),
  reason: Type.Enum(["pending_tools", "yield"]),
  pendingToolCalls: Type.Optional(Type.Array(PendingToolCallSchema)),
  ...shared,
});
export const FailedResultSchema = Type.Object({
  status: Type.Literal("failed"),
  error: Type.String(),
  code: Type.Optional(CodeModeErrorCodeSchema),
  failurePhase: FailurePhaseSchema,
  location: Type.Optional(SourceLocationSchema),
  calls: Type.Optional(Type.Array(LedgerCallSchema)),
  ...shared,
});
export const CodeModeResultSchema = Type.Union([CompletedResultSchema, WaitingResultSchema, FailedResultSchema]);

export type CodeModeCompletedResult = Static<typeof CompletedResultSchema>;
export type CodeModeWaitingResult = Static<typeof WaitingResultSchema>;
export type CodeModeFailedResult = Static<typeof FailedResultSchema>;
/** What `exec` and `wait` return. */
export type CodeModeResult = CodeModeCompletedResult | CodeModeWaitingResult | CodeModeFailedResult;
