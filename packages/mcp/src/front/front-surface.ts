import type { CodeModeRun } from "@codemode/core";
import { renderInstructions, withServers } from "./front-text.js";

/** A tool as clients list it. */
export interface FrontTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" };
  /** For clients, not for their models: the tool can be called as a task of the protocol. */
  readonly execution?: { readonly taskSupport: "optional" };
}

/** What a client of the front sees. */
export interface FrontSurface {
  /** Text that clients may show their model beside the tools. */
  readonly instructions: string;
  readonly tools: readonly FrontTool[];
  /** The servers behind, as cells see them. */
  readonly namespaces: CodeModeRun["mcpNamespaces"];
  /** What is wrong with names and schemas of tools behind. */
  readonly problems: CodeModeRun["mcpProblems"];
}

const TITLES: Readonly<Record<string, string>> = { exec: "Run a program", wait: "Go on with a program" };

/** The surface of a run, as it is now. */
export function surfaceOf(run: Pick<CodeModeRun, "modelTools" | "mcpNamespaces" | "mcpProblems">): FrontSurface {
  const { modelTools, mcpNamespaces, mcpProblems } = run;
  return {
    instructions: renderInstructions(mcpNamespaces.length),
    tools: modelTools.map(({ name, description, parameters }) => ({
      name,
      title: TITLES[name] ?? name,
      description: name === "exec" ? withServers(description, mcpNamespaces) : description,
      inputSchema: parameters as { readonly type: "object" },
      ...(name === "exec" ? { execution: { taskSupport: "optional" as const } } : {}),
    })),
    namespaces: mcpNamespaces,
    problems: mcpProblems,
  };
}
