import type { CodeMode, McpServerDescriptor } from "@codemode/core";
import type { FrontClock } from "./front-clock.js";
import type { McpFrontEvent } from "./front-event.js";
import type { ServeMcpOptions } from "./front-options.js";

/** What the sessions of one front share. */
export interface FrontHost extends Pick<ServeMcpOptions, "hooks" | "approve"> {
  readonly codeMode: CodeMode;
  readonly serverInfo: { readonly name: string; readonly version: string };
  readonly clock: FrontClock;
  servers(): readonly McpServerDescriptor[];
  /** A fresh random UUID. */
  newId(): string;
  /** Never throws. */
  emit(event: McpFrontEvent): void;
  /** Makes a fault visible that no client is told. Never throws. */
  reportFault(fault: unknown): void;
}
