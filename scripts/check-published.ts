// Checks every package as it would be published: publint, types resolution for ESM consumers, and the files it ships.
// Usage: tsx scripts/check-published.ts   (after `npm run types`, which writes dist)
import { readFile } from "node:fs/promises";
import { NOTICES_FILE } from "./build/third-party-notices.js";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { reportProblems, type Problem } from "./workspace/problems.js";
import { withPackedPackages, type PackedPackage } from "./workspace/pack-packages.js";
import { runOrThrow, runProgram } from "./workspace/run-program.js";
import { readSourceTree } from "./workspace/source-tree.js";

const REQUIRED_FILES = [
  "package/package.json",
  "package/README.md",
  "package/LICENSE",
  "package/dist/index.js",
  "package/dist/index.d.ts",
];
/** Beyond those. */
const REQUIRED_FILES_OF: Readonly<Record<string, readonly string[]>> = {
  "packages/quickjs": ["package/dist/base.bin"],
  "packages/worker": [`package/dist/${NOTICES_FILE}`],
};
const UNWANTED_FILE = /\.tsbuildinfo$|\.test\.|\/test\/|\/fixtures\//;

/** Packages looked at side by side: resolving types takes one core each. */
const AT_ONCE = 2;

const problems = await withPackedPackages(readSourceTree(), async (packed) => {
  const found: Problem[] = [];
  for (let start = 0; start < packed.length; start += AT_ONCE) {
    found.push(...(await Promise.all(packed.slice(start, start + AT_ONCE).map(checkPackage))).flat());
  }
  return found;
});
reportProblems("published", problems);

async function checkPackage(packed: PackedPackage): Promise<Problem[]> {
  const messages = await Promise.all([checkFiles(packed), checkManifest(packed), checkTypesResolution(packed)]);
  return messages.flat().map((message) => ({ file: packed.folder, message }));
}

async function checkFiles({ folder, tarball }: PackedPackage): Promise<string[]> {
  const files = (await runOrThrow("tar", ["-tzf", tarball])).trim().split(/\r?\n/);
  return [
    ...[...REQUIRED_FILES, ...(REQUIRED_FILES_OF[folder] ?? [])]
      .filter((file) => !files.includes(file))
      .map((file) => `does not ship ${file.slice("package/".length)}`),
    ...files.filter((file) => UNWANTED_FILE.test(file)).map((file) => `ships ${file.slice("package/".length)}`),
  ];
}

async function checkManifest({ tarball }: PackedPackage): Promise<string[]> {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

async function checkTypesResolution({ tarball }: PackedPackage): Promise<string[]> {
  const { code, text } = await runProgram("attw", [tarball, "--profile", "esm-only", "--no-color", "--no-emoji"]);
  return code === 0 ? [] : [`types resolution:\n${text.trim()}`];
}
