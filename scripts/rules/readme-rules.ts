import { SCOPE } from "../layers.js";
import { codeBlocks, sections, type Section } from "../workspace/markdown.js";
import type { Manifest, WorkspacePackage } from "../workspace/packages.js";
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
  const blocks = codeBlocks(usage?.body ?? "").filter(({ language }) => language === "ts");
  if (blocks.length !== 1)
    problems.push({ file, line: usage?.line ?? 1, message: "## Usage has to hold one ts block" });
  return [...problems, ...checkMayImport(file, found.at(-1), manifest)];
}

/** The section names what the manifest declares, such as `@codemode/bridge` or short `bridge`, and nothing it does not. */
function checkMayImport(file: string, section: Section | undefined, manifest: Manifest): Problem[] {
  const line = section?.line ?? 1;
  const named: readonly string[] = section?.body.match(/[@\w][\w/-]*/g) ?? [];
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const isNamed = (name: string): boolean => named.includes(name) || named.includes(name.replace(SCOPE, ""));
  const wrong = named.filter((name) => name.startsWith(SCOPE) && !declared.includes(name));
  return [
    ...declared
      .filter((name) => !isNamed(name))
      .map((name) => ({ file, line, message: `## May import leaves out ${name}` })),
    ...wrong
      .filter((name) => manifest.devDependencies?.[name] === undefined)
      .map((name) => ({ file, line, message: `## May import has ${name}, which the manifest does not declare` })),
  ];
}
