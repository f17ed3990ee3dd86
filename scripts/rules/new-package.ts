import { SCOPE } from "../layers.js";
import type { SourceTree } from "../workspace/source-tree.js";
import { fileText } from "../workspace/packages.js";
import { entryTarget, fixedFields, inFieldOrder } from "./manifest-rules.js";

/** What a new package starts from. */
export interface NewPackage {
  readonly name: string;
  /** One sentence: the package's one job. */
  readonly description: string;
}

/** Files of a new package, by path. It has one function and its test, so that every check passes from the start. */
export function newPackageFiles(tree: SourceTree, { name, description }: NewPackage): Map<string, string> {
  const folder = `packages/${name}`;
  return new Map([
    [`${folder}/package.json`, `${JSON.stringify(manifest(name, description), null, 2)}\n`],
    [`${folder}/tsconfig.json`, TSCONFIG],
    [`${folder}/LICENSE`, fileText(tree, "LICENSE")],
    [`${folder}/README.md`, readme(name, description)],
    [`${folder}/src/index.ts`, `export { packageName } from "./package-name.js";\n`],
    [
      `${folder}/src/package-name.ts`,
      `/** Name under which the package is published. */\nexport const packageName = "${SCOPE}${name}";\n`,
    ],
    [`${folder}/src/package-name.test.ts`, unitTest(name)],
  ]);
}

function manifest(name: string, description: string): object {
  const exports = { ".": entryTarget("index"), "./package.json": "./package.json" };
  const dependencies = { [`${SCOPE}protocol`]: "workspace:^" };
  return inFieldOrder({ ...fixedFields(name, exports), version: "0.0.0", description, exports, dependencies });
}

const TSCONFIG = `{
  "extends": "../../tsconfig.base.json",
  "compilerOptions": {
    "rootDir": "src",
    "outDir": "dist",
    "tsBuildInfoFile": "dist/.tsbuildinfo"
  },
  "include": ["src"],
  "exclude": ["src/**/*.test.ts", "src/**/*.test-d.ts"],
  "references": [{ "path": "../protocol" }]
}
`;

function unitTest(name: string): string {
  return `import { expect, test } from "vitest";
import { packageName } from "./package-name.js";

test("the package knows its name", () => {
  expect(packageName).toBe("${SCOPE}${name}");
});
`;
}

function readme(name: string, description: string): string {
  return `# ${SCOPE}${name}

${description}

## Who should depend on it

Say who uses this package without the rest.

## Usage

\`\`\`ts
import { packageName } from "${SCOPE}${name}";

console.log(packageName);
\`\`\`

## Guarantees

- Say what callers may rely on.

## What it does not do

- Say where its job ends.

## May import

\`${SCOPE}protocol\`.
`;
}
