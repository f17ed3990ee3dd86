import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isBuilt, markBuilt } from "./build-stamp.mjs";

const OLD = new Date(2020, 1, 1);
let root: string;

/** Writes a file of the past, and makes its folders as old. */
function write(path: string): void {
  const parts = path.split("/");
  mkdirSync(join(root, ...parts.slice(0, -1)), { recursive: true });
  writeFileSync(join(root, path), "");
  for (let length = parts.length; length > 0; length--) utimesSync(join(root, ...parts.slice(0, length)), OLD, OLD);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "build-stamp-"));
  const files = ["package.json", "pnpm-lock.yaml", "tsup.config.ts", "tsconfig.base.json"];
  files.push(
    "packages/a/package.json",
    "packages/a/src/index.ts",
    "packages/a/src/other.ts",
    "packages/a/dist/index.js",
  );
  files.push("examples/e/main.ts", "scripts/bench/package.json", "scripts/soak/package.json");
  files.forEach(write);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("a build is good until an input changes, is deleted, or an output is gone", () => {
  expect(isBuilt(root)).toBe(false);
  markBuilt(root);
  expect(isBuilt(root)).toBe(true);
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(root, "packages/a/src/index.ts"), later, later);
  expect(isBuilt(root)).toBe(false);
  utimesSync(join(root, "packages/a/src/index.ts"), OLD, OLD);
  expect(isBuilt(root)).toBe(true);
  rmSync(join(root, "packages/a/src/other.ts"));
  utimesSync(join(root, "packages/a/src"), later, later);
  expect(isBuilt(root)).toBe(false);
  utimesSync(join(root, "packages/a/src"), OLD, OLD);
  rmSync(join(root, "packages/a/dist/index.js"));
  expect(isBuilt(root)).toBe(false);
});
