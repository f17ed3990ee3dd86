import type { createCodeMode } from "@codemode/core";
import type { connectMcpServers, readMcpConfig } from "@codemode/mcp";

/** What commands are made of. Each is loaded when a command needs it: help and refused arguments wait for none. */
export interface Dependencies {
  core(): Promise<{ readonly createCodeMode: typeof createCodeMode }>;
  mcp(): Promise<{
    readonly connectMcpServers: typeof connectMcpServers;
    readonly readMcpConfig: typeof readMcpConfig;
  }>;
}

/** The real ones. */
export const installedDependencies: Dependencies = {
  core: () => import("@codemode/core"),
  mcp: () => import("@codemode/mcp"),
};
