import type { createCodeMode } from "@codemode/core";
import type { connectMcpServers, describeFront, readMcpConfig, serveMcp } from "@codemode/mcp";
import type { renderMcpDeclarations } from "@codemode/mcp-declarations";

/** What commands are made of. Each is loaded when a command needs it: help and refused arguments wait for none. */
export interface Dependencies {
  core(): Promise<{ readonly createCodeMode: typeof createCodeMode }>;
  mcp(): Promise<{
    readonly connectMcpServers: typeof connectMcpServers;
    readonly describeFront: typeof describeFront;
    readonly readMcpConfig: typeof readMcpConfig;
    readonly serveMcp: typeof serveMcp;
  }>;
  declarations(): Promise<{ readonly renderMcpDeclarations: typeof renderMcpDeclarations }>;
  /** Counts o200k tokens. A large table: only what counts tokens loads it. */
  tokens(): Promise<{ countTokens(text: string): number }>;
}

/** The real ones. */
export const installedDependencies: Dependencies = {
  core: () => import("@codemode/core"),
  mcp: () => import("@codemode/mcp"),
  declarations: () => import("@codemode/mcp-declarations"),
  async tokens() {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    // Descriptions of tools may hold anything, also what a model's own tokens look like: there it is only text.
    const asText = { disallowedSpecial: new Set<string>() };
    return { countTokens: (text) => countTokens(text, asText) };
  },
};
