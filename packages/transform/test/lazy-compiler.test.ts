import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("TS-03: JavaScript never loads the TypeScript compiler", () => {
  const fixture = join(import.meta.dirname, "fixtures/loaded-compiler.ts");
  const flags = ["--conditions=@codemode/source", "--import", "tsx"];
  const output = execFileSync(process.execPath, [...flags, fixture], { cwd: import.meta.dirname, encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ before: false, afterJavaScript: false, afterTypeScript: true });
});
