import { expect, test } from "vitest";
import { renderLayerGraph } from "./rules/layer-graph.js";
import { renderFixedLimit, renderLimitsTable } from "./rules/limits-table.js";
import { renderPackageTable } from "./rules/package-table.js";
import type { WorkspacePackage } from "./workspace/packages.js";

function packageOf(name: string, dependencies: readonly string[]): WorkspacePackage {
  const entries = dependencies.map((each) => [`@codemode/${each}`, "workspace:^"]);
  const manifest = {
    name: `@codemode/${name}`,
    description: `Does ${name}.`,
    dependencies: Object.fromEntries(entries) as Record<string, string>,
  };
  return { name, folder: `packages/${name}`, manifest };
}

const packages = [
  packageOf("bridge", ["protocol"]),
  packageOf("config", ["protocol"]),
  packageOf("core", ["bridge", "config", "protocol"]),
  packageOf("protocol", []),
  packageOf("testing", ["protocol"]),
];

test("the graph has layers from top to bottom and no arrow that follows from others", () => {
  expect(renderLayerGraph(packages).split("\n")).toEqual([
    "```mermaid",
    "flowchart TD",
    "  subgraph L5",
    "    core",
    "  end",
    "  subgraph L2",
    "    config",
    "  end",
    "  subgraph L1",
    "    bridge",
    "  end",
    "  subgraph L0",
    "    protocol",
    "  end",
    "  testing",
    "  bridge --> protocol",
    "  config --> protocol",
    "  core --> bridge",
    "  core --> config",
    "  testing --> protocol",
    "```",
  ]);
});

test("the table has the highest layer first and testing last", () => {
  expect(renderPackageTable(packages).split("\n")).toEqual([
    "| layer | package | what it does |",
    "| --- | --- | --- |",
    "| L5 | [`@codemode/core`](packages/core) | Does core. |",
    "| L2 | [`@codemode/config`](packages/config) | Does config. |",
    "| L1 | [`@codemode/bridge`](packages/bridge) | Does bridge. |",
    "| L0 | [`@codemode/protocol`](packages/protocol) | Does protocol. |",
    "| tests | [`@codemode/testing`](packages/testing) | Does testing. |",
  ]);
});

test("a limit's row is its docstring, with default and range apart", () => {
  const source =
    "export interface L {\n/** How long, in ms. Default 1_000, range 1 to 2. Queueing\n * counts. */\nreadonly timeoutMs: number;\n}";
  expect(renderLimitsTable(source, "L").split("\n").at(-1)).toBe(
    "| `timeoutMs` | How long, in ms. Queueing counts. | 1_000, range 1 to 2 |",
  );
  expect(() => renderLimitsTable("interface L { x: number }", "L")).toThrow(new Error("x has no docstring"));
});

test("a limit that nobody sets is a row of its docstring and its value", () => {
  const source = "const OTHER = 1;\n/** Parts of one\n * whole. */\nconst MAX_PARTS = 1_000;";
  expect(renderFixedLimit(source, "MAX_PARTS")).toBe("| Parts of one whole. | 1_000 |");
  expect(() => renderFixedLimit(source, "OTHER")).toThrow(new Error("OTHER has no docstring"));
  expect(() => renderFixedLimit(source, "MAX_WHOLES")).toThrow(new Error("MAX_WHOLES is not declared"));
});
