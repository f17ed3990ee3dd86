import type { CodeModeResult, CodeModeTelemetry } from "@codemode/protocol";
import { hoistMedia } from "./hoist-media.js";
import type { MediaBlock } from "./media-block.js";
import type { CodeModeRun } from "./options.js";

export interface ModelTextBlock {
  readonly type: "text";
  readonly text: string;
}

/** One part of a tool's answer: MCP's own form, which model APIs have equivalents of. */
export type ModelContentBlock = ModelTextBlock | MediaBlock;

/** A result in the form a model is to see it. */
export interface ModelContent {
  /** One text block that is `shown` as JSON, and after it the pictures and sounds that `shown` names by their place. */
  readonly content: readonly [ModelTextBlock, ...MediaBlock[]];
  /** The result without its counters and `replaySafe`. A block is a note: `type`, `mimeType`, `bytes`, `shownAs`. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** The run's counters: for the host's records. */
  readonly telemetry: CodeModeTelemetry;
}

/**
 * Makes a result what to answer the model's tool call with: pictures and sounds of output and value become blocks of their
 * own, at most 16, from any depth to 32. All text is one block of JSON, because text of a tool could otherwise pass for a result.
 *
 * A block whose data the run no longer keeps stays a small item with its `ref`; after the run's close all do. So call it
 * when the result is there.
 *
 * @param run - The one that gave the result.
 */
export function toModelContent(result: CodeModeResult, run: Pick<CodeModeRun, "media">): ModelContent {
  const { telemetry, replaySafe: _, ...visible } = result;
  const { value, blocks } = hoistMedia(visible, 1, (ref) => run.media(ref));
  const shown = value as Readonly<Record<string, unknown>>;
  return { content: [{ type: "text", text: JSON.stringify(shown) }, ...blocks], shown, telemetry };
}
