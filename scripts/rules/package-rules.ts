import { fileText, listPackages, type Manifest } from "../workspace/packages.js";
import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";
import { checkEntryFile } from "./entry-rules.js";
import { checkDependencyVersions, checkManifest } from "./manifest-rules.js";
import { checkReadme } from "./readme-rules.js";

/** Every finding about the uniformity of packages and of the private workspace members beside them. */
export function checkPackages(tree: SourceTree): Problem[] {
  const licence = fileText(tree, "LICENSE");
  const published = listPackages(tree).flatMap((each) => [
    ...checkManifest(tree, each),
    ...checkReadme(tree, each),
    ...(tree.get(`${each.folder}/LICENSE`) === licence
      ? []
      : [{ file: `${each.folder}/LICENSE`, message: "is not the licence of the root" }]),
    ...checkEntryFile(`${each.folder}/src/index.ts`, tree.get(`${each.folder}/src/index.ts`) ?? ""),
  ]);
  const members = [...listPackages(tree, "examples"), ...listPackages(tree, "scripts")];
  return [
    ...published,
    ...checkPrivateManifest("package.json", JSON.parse(fileText(tree, "package.json")) as Manifest),
    ...members.flatMap(({ folder, manifest }) => checkPrivateManifest(`${folder}/package.json`, manifest)),
    ...listPackages(tree, "examples")
      .filter(({ folder }) => !tree.has(`${folder}/README.md`))
      .map(({ folder }) => ({
        file: `${folder}/README.md`,
        message: "does not exist: every example says what it shows",
      })),
  ];
}

function checkPrivateManifest(file: string, manifest: Manifest): Problem[] {
  const messages = checkDependencyVersions(manifest);
  if (manifest.private !== true) messages.unshift("has to be private: only packages are published");
  return messages.map((message) => ({ file, message }));
}
