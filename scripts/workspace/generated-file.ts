import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "./problems.js";
import { repositoryRoot } from "./source-tree.js";

/** Text that a script owns, whole or between two markers of a file. */
export interface GeneratedFile {
  /** Path relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** With `isCheck` the files that differ are findings; else they are written and there are none. */
export function settleGeneratedFiles(files: readonly GeneratedFile[], isCheck: boolean, command: string): Problem[] {
  const stale = files.filter(({ path, text }) => readFileSync(join(repositoryRoot, path), "utf8") !== text);
  if (isCheck) return stale.map(({ path }) => ({ file: path, message: `is out of date: run ${command}` }));
  for (const { path, text } of stale) {
    writeFileSync(join(repositoryRoot, path), text);
    console.log(`wrote ${path}`);
  }
  return [];
}

/** `text` with the part between `<!-- name -->` and `<!-- /name -->` replaced. @throws {Error} where a marker is missing. */
export function replaceBlock(text: string, name: string, block: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`the markers ${open} and ${close} are missing`);
  return `${text.slice(0, start + open.length)}\n\n${block}\n\n${text.slice(end)}`;
}
