import type { FrontSurface } from "@codemode/mcp";
import type { SurfaceSize } from "./measure-surface.js";
import { formatCount, renderTable } from "./render-table.js";
import { visibleText, type Colors } from "./terminal-text.js";

/** The surface and its size, as tables for a person. */
export function renderSurface(size: SurfaceSize, colors: Colors): string {
  const { tools, instructions, total, servers, direct } = size;
  const toolCount = servers.reduce((sum, server) => sum + server.tools, 0);
  const lines = [
    colors.bold("What the model sees"),
    ...renderTable(
      [{ heading: "TOOL" }, { heading: "TOKENS", isNumber: true }],
      [
        ...tools.map(({ name, tokens }) => [name, formatCount(tokens)]),
        ["(instructions)", formatCount(instructions)],
        ["together", formatCount(total)],
      ],
    ),
    "",
    colors.bold("In place of"),
    ...renderTable(
      [
        { heading: "SERVER" },
        { heading: "IN A CELL" },
        { heading: "TOOLS", isNumber: true },
        { heading: "TOKENS", isNumber: true },
      ],
      [
        ...servers.map((row) => [
          visibleText(row.server),
          `MCP.${row.namespace}`,
          formatCount(row.tools),
          formatCount(row.tokens),
        ]),
        ["together", "", formatCount(toolCount), formatCount(direct)],
      ],
    ),
    "",
    `${formatCount(total)} tokens in place of ${formatCount(direct)}${share(total, direct)} (o200k).`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function share(total: number, direct: number): string {
  return direct === 0 ? "" : `, ${((100 * total) / direct).toFixed(1)} %`;
}

/** The texts themselves, as the model reads them. */
export function renderTexts({ tools, instructions }: FrontSurface, colors: Colors): string {
  const parts = [
    ...tools.map(
      ({ name, description, inputSchema }) =>
        `${colors.bold(name)}\n${description}\n\n${JSON.stringify(inputSchema, undefined, 2)}\n`,
    ),
    `${colors.bold("(instructions)")}\n${instructions}\n`,
  ];
  return parts.join("\n");
}
