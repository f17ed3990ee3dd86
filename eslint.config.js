import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

const tests = ["**/*.test.ts", "**/*.test-d.ts", "packages/*/test/**/*.ts", "packages/testing/src/**/*.ts"];
const plainScripts = ["**/*.js", "**/*.mjs"];

/** Deep imports go past what a package promises. The layer check finds them too; here they show in the editor. */
const deepImports = {
  patterns: [
    {
      regex: "^@codemode/[^/]+/(src|dist)(/|$)",
      message: "Only published entry points may be imported.",
    },
    { regex: "^(\\.\\./)+packages/", message: "A relative path never leaves its package." },
  ],
};

export default defineConfig(
  {
    ignores: [
      "**/dist/",
      "**/coverage/",
      ".cache/",
      "packages/guest/src/prelude-text.ts",
      "packages/*/test/fixtures/guest/",
      "packages/*/test/golden/",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    plugins: { "import-x": importX },
    languageOptions: {
      parserOptions: { project: "./tsconfig.tests.json", tsconfigRootDir: import.meta.dirname },
    },
    settings: {
      "import-x/resolver-next": [createTypeScriptImportResolver({ project: "tsconfig.tests.json" })],
    },
    rules: {
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 3],
      "no-restricted-imports": ["error", deepImports],
      "no-console": "error",
      "no-param-reassign": "error",
      eqeqeq: "error",
      "import-x/no-default-export": "error",
      "import-x/no-duplicates": "error",
      "import-x/no-mutable-exports": "error",
      "import-x/first": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
    },
  },
);
