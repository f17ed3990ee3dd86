import type { ToolDescriptor } from "@codemode/protocol";

/** A tool after normalisation: what guests may know of it, and the host's descriptor. */
export interface CatalogEntry {
  /** Host-only routing identity. Never for guests, prompts or messages. */
  readonly id: string;
  readonly toolName: string;
  /** Name of its guest global. */
  readonly callableName: string;
  /** The host's label, or `client`. */
  readonly source: string;
  readonly label?: string;
  /** At most 300 characters. */
  readonly description: string;
  /** Input hint; `unknown` for client tools. */
  readonly input: string;
  /** Output hint; only when complete and declared by the host. */
  readonly output?: string;
  readonly descriptor: ToolDescriptor;
}
