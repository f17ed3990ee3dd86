import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import { builtinRules } from "eslint/use-at-your-own-risk";
import { importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

const tests = ["**/*.test.ts", "**/*.test-d.ts", "packages/*/test/**/*.ts", "packages/testing/src/**/*.ts"];
const plainScripts = ["**/*.js", "**/*.mjs"];
const nodeGlobals = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, "readonly"]));
const fixtures = "packages/*/test/fixtures/**";
/** Programs that talk to a terminal. */
const programs = ["scripts/**", "examples/**", "packages/cli/src/**", "packages/*/build/**", fixtures];
/** Modules whose default export is called by a tool. */
const configured = [
  "*.config.*",
  "scripts/closing-line-reporter.mjs",
  "packages/worker/src/entry.ts",
  "scripts/soak/src/threads/worker.ts",
  fixtures,
];

/** The size rules once more, under names of their own: they warn where the plain ones, set higher, fail. */
const aim = {
  rules: Object.fromEntries(["max-lines", "max-params"].map((name) => [name, builtinRules.get(name)])),
};

/** Deep imports go past what a package promises. The layer check finds them too; here they show in the editor. */
const deepImports = {
  patterns: [
    { regex: "^@codemode/[^/]+/(src|dist)(/|$)", message: "Only published entry points may be imported." },
    { regex: "^(\\.\\./)+packages/", message: "A relative path never leaves its package." },
  ],
};

const lines = (max) => ({ max, skipBlankLines: true, skipComments: true });

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
    plugins: { aim, "import-x": importX },
    languageOptions: { parserOptions: { project: "./tsconfig.tests.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "aim/max-lines": ["warn", lines(250)],
      "max-lines": ["error", lines(400)],
      "max-lines-per-function": ["warn", lines(50)],
      "aim/max-params": ["warn", 3],
      "max-params": ["error", 4],
      "no-restricted-imports": ["error", deepImports],
      "no-console": "error",
      eqeqeq: "error",
      "import-x/first": "error",
      "import-x/no-default-export": "error",
      "import-x/no-duplicates": "error",
      "import-x/no-mutable-exports": "error",
      "@typescript-eslint/consistent-type-imports": [
        "error",
        // A module that is loaded lazily is named as `typeof import("…")`.
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/restrict-plus-operands": ["error", { allowNumberAndString: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/only-throw-error": ["error", { allowThrowingUnknown: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // Public hook types say `Promise<void | …>`: returning nothing is one of the answers.
      "@typescript-eslint/no-invalid-void-type": "off",
      // Text from guests, tools and servers is searched for control characters on purpose.
      "no-control-regex": "off",
      // Objects are made of closures here: their functions may be taken off them.
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/no-meaningless-void-operator": "off",
      // JavaScript hosts, guests and servers pass what the types exclude.
      "@typescript-eslint/no-unnecessary-condition": "off",
      "@typescript-eslint/no-unnecessary-type-conversion": "off",
      // An implementation of an asynchronous contract need not wait for anything itself.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    files: tests,
    rules: {
      "aim/max-lines": "off",
      "max-lines": ["error", lines(600)],
      "max-lines-per-function": "off",
      // Tests play hostile guests and careless hosts.
      "no-sparse-arrays": "off",
      "@typescript-eslint/only-throw-error": "off",
    },
  },
  { files: programs, rules: { "no-console": "off" } },
  { files: configured, rules: { "import-x/no-default-export": "off" } },
  {
    files: plainScripts,
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: nodeGlobals },
  },
);
