import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../workspace/source-tree.js";
import { noticeOf, packageFolderOf } from "./third-party-notices.js";

test("files of installed packages have a folder, the workspace's own have none", () => {
  const store = "node_modules/.pnpm/acorn@8.19.0/node_modules";
  expect(packageFolderOf(`${store}/acorn/dist/acorn.mjs`)).toBe(`${store}/acorn`);
  expect(packageFolderOf("node_modules/@jridgewell/resolve-uri/dist/a.mjs")).toBe(
    "node_modules/@jridgewell/resolve-uri",
  );
  expect(packageFolderOf("packages/bridge/src/index.ts")).toBe(undefined);
});

test("a notice holds name, version and the whole licence text", () => {
  const notice = noticeOf(join(repositoryRoot, "node_modules", "esbuild"));
  expect(notice).toMatch(/^esbuild \d+\.\d+\.\d+\n\nMIT License\n/);
  expect(notice).toMatch(/WARRANTY[^]*\n$/);
});

test("a package without a licence text cannot be bundled", () => {
  expect(() => noticeOf(join(repositoryRoot, "packages/protocol/src"))).toThrow();
});
