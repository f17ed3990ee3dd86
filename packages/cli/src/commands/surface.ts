import type { McpConnection } from "@codemode/mcp";
import { EXIT_CODES, SHOWN_EXIT_CODE_HELP, type ExitCode } from "../exit-codes.js";
import { measureSurface } from "../measure-surface.js";
import { AS_SERVED, tellProblems, withServers, type CommandContext } from "../open-servers.js";
import type { OptionTable } from "../parse-arguments.js";
import { renderSurface, renderTexts } from "../render-surface.js";
import { readServerArguments, SERVER_OPTIONS } from "../server-arguments.js";
import { colorsFor } from "../terminal-text.js";
import type { Command } from "./command.js";

const OPTIONS: OptionTable = {
  ...SERVER_OPTIONS,
  text: { description: "Print the texts themselves, as the model reads them" },
  json: { description: "Print texts and counts as one line of JSON" },
};

const NOTES = `  # What a client's model gets from codemode serve, and what it would get from the servers themselves.
  $ codemode surface --mcp mcp.json

  # The descriptions and schemas word by word.
  $ codemode surface --mcp mcp.json --text

  # For a script: how many tokens are saved.
  $ codemode surface --mcp mcp.json --json | jq '.size.direct - .size.total'

The servers are started and listed; none of their tools is called. Tokens are counted with o200k_base; other models count
a little differently, and the share stays about the same.

Exit codes:
${SHOWN_EXIT_CODE_HELP}`;

/** `codemode surface`: what a model sees in front of the servers of a file, with token counts. */
export const surfaceCommand: Command = {
  name: "surface",
  usage: "--mcp <file>",
  summary: "Show what a client's model would see, with token counts beside the servers' own tools",
  options: OPTIONS,
  notes: NOTES,
  run(args, io, dependencies) {
    const checked = readServerArguments(args, "codemode surface");
    return withServers({ ...checked, ...AS_SERVED }, { io, dependencies }, (connection, context) =>
      showSurface(connection, args.flags, context),
    );
  },
};

async function showSurface(
  connection: McpConnection,
  flags: ReadonlySet<string>,
  { io, dependencies }: CommandContext,
): Promise<ExitCode> {
  const { servers, problems } = connection;
  const [{ describeFront }, { countTokens }] = await Promise.all([dependencies.mcp(), dependencies.tokens()]);
  const surface = await describeFront({ servers });
  tellProblems(surface.problems, io);
  const size = measureSurface(surface, servers, countTokens);
  const colors = colorsFor(io.stdout, io.env);
  if (flags.has("json")) io.stdout.write(`${JSON.stringify({ ...surface, size })}\n`);
  else io.stdout.write(flags.has("text") ? renderTexts(surface, colors) : renderSurface(size, colors));
  return problems.some((problem) => problem.isServerLost) ? EXIT_CODES.serverLost : EXIT_CODES.completed;
}
