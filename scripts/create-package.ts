// Creates a package that passes every check. Usage: tsx scripts/create-package.ts <name> "<one sentence: its one job>"
//
// The name needs a layer in scripts/layers.ts first. Afterwards run `node scripts/dev.mjs pnpm install`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { layerLabel } from "./layers.js";
import { newPackageFiles } from "./rules/new-package.js";
import { projectReferences } from "./rules/project-references.js";
import { renderedDocuments } from "./rules/rendered-documents.js";
import { settleGeneratedFiles } from "./workspace/generated-file.js";
import { readSourceTree, repositoryRoot } from "./workspace/source-tree.js";

const [name = "", description = ""] = process.argv.slice(2);
const tree = readSourceTree();
const refusal = refusalOf(name, description);
if (refusal !== undefined) {
  console.error(refusal);
  process.exit(2);
}
for (const [path, text] of newPackageFiles(tree, { name, description })) {
  mkdirSync(dirname(join(repositoryRoot, path)), { recursive: true });
  writeFileSync(join(repositoryRoot, path), text);
  console.log(`wrote ${path}`);
}
const grown = readSourceTree();
const generated = [...(await projectReferences(grown)), ...(await renderedDocuments(grown))];
settleGeneratedFiles(generated, false, "tsx scripts/create-package.ts");

function refusalOf(wanted: string, sentence: string): string | undefined {
  if (!/^[a-z][a-z0-9-]*$/.test(wanted) || sentence === "") {
    return 'Usage: tsx scripts/create-package.ts <name> "<one sentence>"; the name is kebab-case.';
  }
  if (layerLabel(wanted) === undefined) return `${wanted} has no layer: add it to scripts/layers.ts first.`;
  if (tree.has(`packages/${wanted}/package.json`)) return `packages/${wanted} exists already.`;
  return undefined;
}
