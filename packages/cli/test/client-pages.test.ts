import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseArguments } from "../src/parse-arguments.js";
import { readServeArguments, SERVE_OPTIONS } from "../src/serve-arguments.js";

const folder = resolve(import.meta.dirname, "../../../docs/clients");
const pages = readdirSync(folder).map((file) => ({
  client: basename(file, ".md"),
  text: readFileSync(join(folder, file), "utf8"),
}));

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
}

/** The entries called `codemode` in the blocks of configuration, whatever key a client has for servers. */
function entriesOf(text: string): readonly Entry[] {
  return blocksOf(text, "json").map((block) => {
    const servers = Object.values(JSON.parse(block) as Record<string, unknown>).find((value) => !Array.isArray(value));
    return (servers as { codemode: Entry }).codemode;
  });
}

/** Words of the commands in shell blocks, and of the `args` in TOML. */
function commandsOf(text: string): readonly (readonly string[])[] {
  const shell = blocksOf(text, "sh").map((line) => line.trim().split(" "));
  const toml = blocksOf(text, "toml").flatMap((block) => /^args = (\[.*\])$/m.exec(block)?.[1] ?? []);
  return [...shell, ...toml.map((list) => JSON.parse(list) as string[])];
}

function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map((match) => match[1] ?? "");
}

test.each(pages)("E2E-03: the page of $client starts codemode serve with arguments it takes", ({ text }) => {
  const lines = [...entriesOf(text).flatMap(({ args }) => (args === undefined ? [] : [args])), ...commandsOf(text)];
  const served = lines
    .filter((words) => words.includes("serve"))
    .map((words) => words.slice(words.indexOf("serve") + 1));
  expect(served).not.toEqual([]);
  for (const words of served) {
    const parsed = parseArguments(words, SERVE_OPTIONS, "codemode serve");
    expect(readServeArguments(parsed, {})).toMatchObject({ mcpFile: "/home/me/mcp.json", http: undefined });
  }
});

test.each(pages)("E2E-03: what the page of $client says in its text can be run as it stands", ({ text }) => {
  const inline = [...text.matchAll(/`codemode (serve [^`]+)`/g)].map((match) => (match[1] ?? "").split(" ").slice(1));
  for (const words of inline) {
    expect(readServeArguments(parseArguments(words, SERVE_OPTIONS, "codemode serve"), {})).toMatchObject({
      mcpFile: "/home/me/mcp.json",
      http: { port: 3333 },
    });
  }
  const addresses = [...text.matchAll(/https?:\/\/(?:127|localhost)[^"\s`]*/g)].map(([address]) => address);
  expect(new Set([...addresses, "http://127.0.0.1:3333/mcp"])).toEqual(new Set(["http://127.0.0.1:3333/mcp"]));
});
