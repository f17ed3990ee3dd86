import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { codemode } from "./spawn-codemode.js";

/** Folder of recorded `tools/list` answers, from outside the repository; undefined where there is none. */
const folder = [process.env["CODEMODE_CASES"], resolve(import.meta.dirname, "../../../../shared/cases")]
  .filter((root) => root !== undefined)
  .map((root) => join(root, "mcp-catalogs"))
  .find((path) => existsSync(path));
const recorded = fileURLToPath(new URL("./fixtures/lists-catalog.mjs", import.meta.url));

test.skipIf(folder === undefined)(
  "SURF-03: in front of all recorded catalogs together a model sees at most 3 % of the tokens of their tools",
  async () => {
    const files = readdirSync(folder ?? "").filter((file) => file.endsWith(".json"));
    const entries = files.map((file) => [
      basename(file, ".json"),
      { command: process.execPath, args: [recorded, join(folder ?? "", file)] },
    ]);
    const home = await mkdtemp(join(tmpdir(), "codemode-recorded-"));
    const mcpFile = join(home, "mcp.json");
    await writeFile(mcpFile, JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }));
    const args = ["surface", "--mcp", mcpFile, "--json", "--start-timeout", "60000"];
    const { code, out } = await codemode(args);
    await rm(home, { recursive: true });
    expect(code).toBe(0);
    const { size } = JSON.parse(out) as { size: { total: number; direct: number; servers: unknown[] } };
    expect(size.servers).toHaveLength(files.length);
    expect(size.total / size.direct).toBeLessThanOrEqual(0.03);
  },
  120_000,
);
