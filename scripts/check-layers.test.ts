import { describe, expect, test } from "vitest";
import { checkImports } from "./rules/check-imports.js";
import { renderProblem } from "./workspace/problems.js";
import { readSourceTree, type SourceTree } from "./workspace/source-tree.js";

const real = readSourceTree();
/** The manifests alone: planted files are then the only sources. */
const manifests: SourceTree = new Map([...real].filter(([path]) => path.endsWith("package.json")));

/** Findings in a repository whose sources are the given files. */
function found(files: Record<string, string>): string[] {
  return checkImports(new Map([...manifests, ...Object.entries(files)])).map(renderProblem);
}

function manifestWith(name: string, fields: object): string {
  return JSON.stringify({ ...(JSON.parse(real.get(`packages/${name}/package.json`) ?? "{}") as object), ...fields });
}

describe("the real repository", () => {
  test("keeps every layer rule, whatever lint comments its files hold", () => {
    expect(checkImports(real).map(renderProblem)).toEqual([]);
  });
});

describe("imports between packages", () => {
  test("an upward import is refused", () => {
    expect(found({ "packages/bridge/src/planted.ts": `\n\nimport { x } from "@codemode/core";` })).toEqual([
      "packages/bridge/src/planted.ts:3: imports @codemode/core (L5) from L1: imports point down only",
    ]);
  });

  test("a sideways import is refused, type-only ones too", () => {
    expect(found({ "packages/catalog/src/planted.ts": `import type { X } from "@codemode/config";` })).toEqual([
      "packages/catalog/src/planted.ts:1: imports @codemode/config (L2) from L2: packages of one layer never import each other",
    ]);
  });

  test.each([
    ["re-export", `export * from "@codemode/core";`],
    ["import type", `export type X = import("@codemode/core").X;`],
    ["dynamic import", `export const x = () => import("@codemode/core");`],
    ["require", `export const x = require("@codemode/core");`],
    ["lint comment", `import { x } from "@codemode/core"; // eslint-disable-line`],
  ])("no form of import escapes: %s", (_form, text) => {
    expect(found({ "packages/bridge/src/planted.ts": text })).toEqual([
      "packages/bridge/src/planted.ts:1: imports @codemode/core (L5) from L1: imports point down only",
    ]);
  });

  test.each(["@codemode/protocol/src/cell.js", "@codemode/protocol/dist/cell.js"])(
    "a deep import is refused: %s",
    (specifier) => {
      expect(found({ "packages/bridge/src/planted.ts": `import { x } from "${specifier}";` })).toEqual([
        `packages/bridge/src/planted.ts:1: imports ${specifier}: only published entry points may be imported`,
      ]);
    },
  );

  test("a relative path never leaves its package, from tests neither", () => {
    const text = `import { x } from "../../protocol/src/cell.js";`;
    expect(found({ "packages/bridge/src/planted.ts": text, "packages/bridge/src/planted.test.ts": text })).toEqual([
      "packages/bridge/src/planted.ts:1: imports ../../protocol/src/cell.js: a relative path never leaves its package",
      "packages/bridge/src/planted.test.ts:1: imports ../../protocol/src/cell.js: a relative path never leaves its package",
    ]);
  });

  test.each(["/srv/code/x.js", "file:///srv/code/x.js", "data:text/javascript,1"])(
    "neither is a URL an import: %s",
    (specifier) => {
      expect(found({ "packages/bridge/test/planted.test.ts": `await import("${specifier}");` })).toEqual([
        `packages/bridge/test/planted.test.ts:1: imports ${specifier}: only packages and relative paths are imported`,
      ]);
    },
  );

  test("an undeclared dependency is refused", () => {
    expect(found({ "packages/config/src/planted.ts": `import { x } from "@codemode/bridge";` })).toEqual([
      "packages/config/src/planted.ts:1: imports @codemode/bridge, which packages/config/package.json does not declare: every import is a declared dependency",
    ]);
  });

  test("an unknown package is refused", () => {
    expect(found({ "packages/config/src/planted.ts": `import { x } from "@codemode/nowhere";` })).toEqual([
      "packages/config/src/planted.ts:1: imports @codemode/nowhere: there is no such package",
    ]);
  });

  test("a package never imports itself by name, which would hide a cycle", () => {
    expect(found({ "packages/config/src/planted.ts": `import { x } from "@codemode/config";` })).toEqual([
      "packages/config/src/planted.ts:1: imports @codemode/config: a package never imports itself by name",
    ]);
  });

  test("only tests import testing, and testing imports only protocol", () => {
    const files = {
      "packages/quickjs/src/planted.ts": `import { x } from "@codemode/testing";`,
      "packages/quickjs/src/planted.test.ts": `import { x } from "@codemode/testing";`,
      "packages/testing/src/planted.ts": `import { x } from "@codemode/bridge";`,
    };
    expect(found(files)).toEqual([
      "packages/quickjs/src/planted.ts:1: imports @codemode/testing: only tests import it",
      "packages/testing/src/planted.ts:1: imports @codemode/bridge (L1) from testing: testing imports only protocol",
    ]);
  });

  test("what guest bundles is a development dependency that its sources may import", () => {
    expect(found({ "packages/guest/src/planted.ts": `import { x } from "@codemode/bridge";` })).toEqual([]);
  });
});

describe("imports from outside the workspace", () => {
  test("quickjs-wasi has one importer", () => {
    const text = `import { x } from "quickjs-wasi";`;
    expect(
      found({
        "packages/core/src/planted.ts": text,
        "packages/quickjs/src/planted.ts": `import { x } from "quickjs-wasi";`,
      }),
    ).toEqual(["packages/core/src/planted.ts:1: imports quickjs-wasi: only @codemode/quickjs may import it"]);
  });

  test("pure packages use no Node built-in, with or without the prefix; their tests may", () => {
    const text = `import "node:fs";\nimport { join } from "path";`;
    expect(
      found({
        "packages/bridge/src/planted.ts": text,
        "packages/bridge/test/planted.test.ts": text,
        "packages/supervisor/src/planted.ts": text,
      }),
    ).toEqual([
      "packages/bridge/src/planted.ts:1: imports node:fs: @codemode/bridge is pure and uses no Node built-in",
      "packages/bridge/src/planted.ts:2: imports path: @codemode/bridge is pure and uses no Node built-in",
    ]);
  });

  test("the root's development tools serve tests only", () => {
    const text = `import { test } from "vitest";`;
    expect(found({ "packages/config/src/planted.ts": text, "packages/config/src/planted.test.ts": text })).toEqual([
      "packages/config/src/planted.ts:1: imports vitest, which packages/config/package.json does not declare: every import is a declared dependency",
    ]);
  });
});

describe("cycles", () => {
  test("files of one package never import each other in a circle, type-only ones too", () => {
    const files = {
      "packages/bridge/src/planted-a.ts": `import { b } from "./planted-b.js";`,
      "packages/bridge/src/planted-b.ts": `export type { C } from "./planted-c.js";`,
      "packages/bridge/src/planted-c.ts": `import type { A } from "./planted-a.js";`,
      "packages/bridge/src/planted-d.ts": `import { a } from "./planted-a.js";`,
    };
    expect(found(files)).toEqual([
      "packages/bridge/src/planted-a.ts: import cycle planted-a.ts -> planted-b.ts -> planted-c.ts -> planted-a.ts: files of one package never import each other in a circle",
    ]);
  });
});

describe("manifests", () => {
  test("dependencies keep the layers", () => {
    const files = {
      "packages/bridge/package.json": manifestWith("bridge", {
        dependencies: { "@codemode/core": "workspace:^", "@codemode/json-schema": "workspace:^" },
      }),
      "packages/telemetry/package.json": manifestWith("telemetry", {
        dependencies: { "@codemode/testing": "workspace:^", "@codemode/protocol": "workspace:^" },
      }),
    };
    expect(found(files)).toEqual([
      "packages/bridge/package.json: depends on @codemode/core (L5) from L1: imports point down only",
      "packages/bridge/package.json: depends on @codemode/json-schema (L1) from L1: packages of one layer never import each other",
      "packages/telemetry/package.json: depends on @codemode/testing: only tests import it, as a development dependency",
    ]);
  });

  test("a package without a layer is refused", () => {
    expect(found({ "packages/planted/package.json": `{ "name": "@codemode/planted" }` })).toEqual([
      "packages/planted/package.json: has no layer: add planted to scripts/layers.ts",
    ]);
  });
});

describe("examples", () => {
  test("use published entry points that they declare, of any layer", () => {
    const files = {
      "examples/planted/package.json": `{ "name": "planted", "dependencies": { "@codemode/core": "workspace:^" } }`,
      "examples/planted/main.ts": [
        `import { a } from "@codemode/core";`,
        `import { b } from "@codemode/core/src/exec.js";`,
        `import { c } from "@codemode/cli";`,
        `import { d } from "../../packages/core/src/exec.js";`,
      ].join("\n"),
    };
    expect(found(files)).toEqual([
      "examples/planted/main.ts:2: imports @codemode/core/src/exec.js: only published entry points may be imported",
      "examples/planted/main.ts:3: imports @codemode/cli, which examples/planted/package.json does not declare: every import is a declared dependency",
      "examples/planted/main.ts:4: imports ../../packages/core/src/exec.js: a relative path never leaves its package",
    ]);
  });
});
