import { SCOPE } from "../layers.js";
import { codeBlocks, sections } from "../workspace/markdown.js";
import { internalDependencies, type WorkspacePackage } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";

const HEADINGS = ["## Who should depend on it", "## Usage", "## Guarantees", "## What it does not do", "## May import"];

/** Findings about a package's README: the same sections everywhere, one compiled usage, the true dependencies. */
export function checkReadme(tree: SourceTree, { name, folder, manifest }: WorkspacePackage): Problem[] {
  const file = `${folder}/README.md`;
  const text = tree.get(file);
  if (text === undefined) return [{ file, message: "does not exist: every package has a README" }];
  const found = sections(text);
  const wanted = [`# ${SCOPE}${name}`, ...HEADINGS];
  const headings = found.map(({ heading }) => heading);
  if (headings.join("\n") !== wanted.join("\n")) {
    return [{ file, message: `has the headings ${headings.join(", ")}: they have to be ${wanted.join(", ")}` }];
  }
  const problems: Problem[] = [];
  for (const { heading, body, line } of found) {
    if (body === "") problems.push({ file, line, message: `${heading} is empty` });
  }
  const usage = found[2];
  const blocks = codeBlocks(usage?.body ?? "").map(({ language }) => language);
  if (blocks.join() !== "ts")
    problems.push({ file, line: usage?.line ?? 1, message: "## Usage has to hold one ts block" });
  const named: readonly string[] = (found.at(-1)?.body ?? "").match(/@codemode\/[a-z-]+/g) ?? [];
  const allowed = internalDependencies(manifest, ["dependencies", "peerDependencies"]).map((each) => SCOPE + each);
  for (const each of allowed.filter((dependency) => !named.includes(dependency))) {
    problems.push({ file, line: found.at(-1)?.line ?? 1, message: `## May import leaves out ${each}` });
  }
  return problems;
}
