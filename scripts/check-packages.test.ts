import { describe, expect, test } from "vitest";
import { newPackageFiles } from "./rules/new-package.js";
import { checkImports } from "./rules/check-imports.js";
import { checkPackages } from "./rules/package-rules.js";
import { projectReferences } from "./rules/project-references.js";
import type { Manifest } from "./workspace/packages.js";
import { renderProblem } from "./workspace/problems.js";
import type { SourceTree } from "./workspace/source-tree.js";

const LICENCE = "MIT License\n";
const root: [string, string][] = [
  ["LICENSE", LICENCE],
  ["package.json", JSON.stringify({ name: "workspace", private: true, devDependencies: { vitest: "catalog:" } })],
  ["tsconfig.json", JSON.stringify({ files: [] })],
];
const description = "Does one thing.";
const protocol = newPackageFiles(new Map(root), { name: "protocol", description });
const [protocolManifest, protocolReadme] = ["packages/protocol/package.json", "packages/protocol/README.md"];
protocol.set(protocolManifest, withoutDependencies(protocol.get(protocolManifest) ?? ""));
protocol.set(protocolReadme, (protocol.get(protocolReadme) ?? "").replace("`@codemode/protocol`.", "Nothing."));
const sound: SourceTree = new Map([
  ...root,
  ...protocol,
  ...newPackageFiles(new Map(root), { name: "telemetry", description }),
]);
const folder = "packages/telemetry";

function withoutDependencies(text: string): string {
  const { dependencies: _dependencies, ...rest } = JSON.parse(text) as Manifest;
  return JSON.stringify(rest);
}

function findings(changed: Record<string, string>): string[] {
  return checkPackages(new Map([...sound, ...Object.entries(changed)])).map(renderProblem);
}

/** Findings when the text of one file is changed by a replacement that has to happen. */
function findingsAfter(file: string, from: string, to: string): string[] {
  const text = sound.get(file) ?? "";
  expect(text).toContain(from);
  return findings({ [file]: text.replace(from, to) });
}

describe("a package from the template", () => {
  test("passes the package and layer checks, with true references", async () => {
    expect(findings({})).toEqual([]);
    expect(checkImports(sound).map(renderProblem)).toEqual([]);
    const references = await projectReferences(sound);
    expect(references.find(({ path }) => path === `${folder}/tsconfig.json`)?.text).toBe(
      sound.get(`${folder}/tsconfig.json`),
    );
  });
});

describe("manifests", () => {
  const file = `${folder}/package.json`;

  test("fields keep one order", () => {
    const { name, version, ...rest } = JSON.parse(sound.get(file) ?? "") as Manifest;
    const tail =
      "description, license, type, sideEffects, engines, files, exports, publishConfig, scripts, dependencies";
    expect(findings({ [file]: JSON.stringify({ version, name, ...rest }) })).toEqual([
      `${file}: has the fields version, name, ${tail}: they have to be name, version, ${tail}`,
    ]);
  });

  test("fixed fields have one value", () => {
    expect(findingsAfter(file, `">=20.19"`, `">=18"`)).toEqual([
      `${file}: has engines {"node":">=18"}: it has to be {"node":">=20.19"}`,
    ]);
  });

  test("types come first in an entry, and publishing drops the source condition only", () => {
    const swapped = findingsAfter(
      file,
      `"types": "./dist/index.d.ts",\n      "default": "./dist/index.js"`,
      `"default": "./dist/index.js",\n      "types": "./dist/index.d.ts"`,
    );
    expect(swapped).toEqual([
      `${file}: has publishConfig {"access":"public","provenance":true,"exports":{".":{"types":"./dist/index.d.ts","default":"./dist/index.js"},"./package.json":"./package.json"}}: it has to be {"access":"public","provenance":true,"exports":{".":{"default":"./dist/index.js","types":"./dist/index.d.ts"},"./package.json":"./package.json"}}`,
      `${file}: exports . as {"@codemode/source":"./src/index.ts","default":"./dist/index.js","types":"./dist/index.d.ts"}: it has to be {"@codemode/source":"./src/index.ts","types":"./dist/index.d.ts","default":"./dist/index.js"}`,
    ]);
  });

  test("versions come from the workspace and its catalog", () => {
    expect(findingsAfter(file, `"workspace:^"`, `"^1.0.0"`)).toEqual([
      `${file}: dependencies has @codemode/protocol at ^1.0.0: it has to be workspace:^`,
    ]);
    expect(findings({ "package.json": JSON.stringify({ private: true, devDependencies: { vitest: "^4" } }) })).toEqual([
      "package.json: devDependencies has vitest at ^4: it has to be catalog:",
    ]);
  });
});

describe("READMEs", () => {
  const file = `${folder}/README.md`;

  test("sections are the same everywhere", () => {
    expect(findingsAfter(file, "## Guarantees", "## Promises")).toEqual([
      `${file}: has the headings # @codemode/telemetry, ## Who should depend on it, ## Usage, ## Promises, ## What it does not do, ## May import: they have to be # @codemode/telemetry, ## Who should depend on it, ## Usage, ## Guarantees, ## What it does not do, ## May import`,
    ]);
  });

  test("usage is one ts block", () => {
    expect(findingsAfter(file, "```ts", "```js")).toEqual([`${file}:9: ## Usage has to hold one ts block`]);
  });

  test("the imports named are the manifest's", () => {
    expect(findingsAfter(file, "`@codemode/protocol`.", "Nothing.")).toEqual([
      `${file}:25: ## May import leaves out @codemode/protocol`,
    ]);
    expect(findingsAfter(file, "`@codemode/protocol`.", "`protocol` and `@codemode/core`.")).toEqual([
      `${file}:25: ## May import has @codemode/core, which the manifest does not declare`,
    ]);
  });

  test("a missing README or another licence is a finding", () => {
    const { [file]: _readme, ...rest } = Object.fromEntries(sound);
    expect(
      checkPackages(new Map(Object.entries({ ...rest, [`${folder}/LICENSE`]: "other" }))).map(renderProblem),
    ).toEqual([
      `${file}: does not exist: every package has a README`,
      `${folder}/LICENSE: is not the licence of the root`,
    ]);
  });
});

describe("entries", () => {
  const file = `${folder}/src/index.ts`;

  test.each(["export * from './package-name.js';", "export const x = 1;", "export {};", "import './package-name.js';"])(
    "hold named re-exports only: %s",
    (text) => {
      expect(findings({ [file]: text })).toEqual([`${file}:1: is not a named re-export: an entry holds nothing else`]);
    },
  );

  test("have at most 40 lines", () => {
    expect(findings({ [file]: `export { a } from "./a.js";\n`.repeat(41) })).toEqual([
      `${file}: has 41 lines: an entry has at most 40`,
    ]);
  });
});

describe("private members", () => {
  test("examples are private and say what they show", () => {
    expect(findings({ "examples/story/package.json": JSON.stringify({ name: "story" }) })).toEqual([
      "examples/story/package.json: has to be private: only packages are published",
      "examples/story/README.md: does not exist: every example says what it shows",
    ]);
  });
});
