import { parseArgs } from "node:util";
import { CodeModeError } from "@codemode/protocol";

/** One option of a command, as it is parsed and as the help shows it. */
export interface OptionSpec {
  /** What stands for the value in the help; an option without it is a flag. */
  readonly value?: string;
  /** One letter. */
  readonly short?: string;
  readonly description: string;
}

/** By long name, without dashes. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Options and other arguments, as they were written: nothing becomes a number, and nothing is lost. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Separates options from the other arguments. A lone `-` is no option, and nothing behind `--` is one. Every option may
 * be given once.
 *
 * @param command - Its words, for the hint at its help.
 * @throws {CodeModeError} `invalid_argument`, with one line that names the argument.
 */
export function parseArguments(args: readonly string[], options: OptionTable, command: string): ParsedArguments {
  // Not `strict`: what is wrong is told below, in words that are the same with every version of Node.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value, short }]) => [
        name,
        { type: value === undefined ? "boolean" : "string", multiple: true, ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const positionals: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name } = token;
    if (!Object.hasOwn(options, name)) throw unknownOption(args[token.index] ?? token.rawName, command);
    if (flags.has(name) || values.has(name)) throw invalidArgument(`--${name}`, "may be given only once");
    if (options[name]?.value === undefined) {
      if (token.value !== undefined) throw invalidArgument(`--${name}`, "takes no value");
      flags.add(name);
    } else values.set(name, valueOf(token));
  }
  return { positionals, flags, values };
}

/** An option in the place of a value is taken for a forgotten value; a negative number is one that its reader refuses. */
function valueOf(token: { name: string; value: string | undefined; inlineValue: boolean | undefined }): string {
  const { name, value, inlineValue } = token;
  if (value === undefined) throw invalidArgument(`--${name}`, "needs a value");
  if (inlineValue !== true && /^-[^\d]/.test(value)) {
    throw invalidArgument(`--${name}`, `needs a value; one that starts with a dash is written --${name}=${value}`);
  }
  return value;
}

function unknownOption(written: string, command: string): CodeModeError {
  const option = written.startsWith("--") ? written.replace(/=.*$/s, "") : written;
  const file = written.startsWith("--") ? "" : ", and a file of that name comes behind --";
  const problem = `there is no option ${JSON.stringify(option)}; see ${command} --help${file}`;
  return new CodeModeError("invalid_argument", `${problem}.`, { path: option, problem });
}

/** An argument that cannot be used: the message is its name and what is wrong with it. */
export function invalidArgument(path: string, problem: string): CodeModeError {
  return new CodeModeError("invalid_argument", `${path} ${problem}.`, { path, problem });
}
