import type { Command } from "./commands/command.js";
import type { OptionTable } from "./parse-arguments.js";

/** Options that every command has, and the program without one. */
export const GLOBAL_OPTIONS: OptionTable = {
  help: { short: "h", description: "Print this help" },
  version: { short: "v", description: "Print the version" },
};

/** Help of the program. */
export function renderProgramHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, usage, summary }): Row => [`${name} ${usage}`, summary]);
  return sections([
    ["Usage", "  $ codemode <command> [options]"],
    ["Commands", renderRows(rows)],
    ["Options", renderRows(optionRows(GLOBAL_OPTIONS))],
    ["Help of a command", commands.map(({ name }) => `  $ codemode ${name} --help`).join("\n")],
  ]);
}

/** Help of one command. */
export function renderCommandHelp({ name, usage, summary, options, notes }: Command): string {
  return sections([
    ["Usage", `  $ codemode ${name} ${usage} [options]\n\n  ${summary}.`],
    ["Options", renderRows(optionRows({ ...options, ...GLOBAL_OPTIONS }))],
    ["Examples", notes],
  ]);
}

type Row = readonly [left: string, right: string];

function sections(all: readonly (readonly [heading: string, body: string])[]): string {
  return all.map(([heading, body]) => `${heading}:\n${body}\n`).join("\n");
}

function optionRows(options: OptionTable): Row[] {
  return Object.entries(options).map(([name, { value, short, description }]) => [
    `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` <${value}>`}`,
    description,
  ]);
}

function renderRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
