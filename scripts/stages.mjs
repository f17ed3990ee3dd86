// The checks of the repository in the order in which they run, each with its commands. Tools of the workspace are found
// by name. Everything that runs checks reads this one table.
const script = (name, ...args) => ["tsx", [`scripts/${name}.ts`, ...args]];

export const STAGES = {
  test: [["npm", ["test"]]],
  format: [["prettier", ["--check", "--log-level=warn", "."]]],
  types: [
    ["tsc", ["-b"]],
    ["tsc", ["-p", "tsconfig.tests.json"]],
  ],
  lint: [["eslint", ["."]]],
  layers: [script("check-layers")],
  references: [script("generate-references", "--check")],
  graph: [script("render-graph", "--check")],
  "reserved-names": [script("render-reserved-names", "--check")],
  packages: [script("check-packages")],
  "pure-entries": [script("check-pure-entries")],
  published: [script("check-published")],
  "pack-smoke": [script("pack-smoke")],
  knip: [["knip", ["--no-config-hints"]]],
  docs: [
    script("render-limits", "--check"),
    script("render-performance", "--check"),
    script("check-walk"),
    script("check-snippets"),
  ],
  requirements: [script("requirements-report")],
  examples: [script("run-examples")],
  // Every kind of cell at least once; `npm run soak` plays 10,000.
  soak: [["node", ["scripts/soak/dist/main.js", "--cells", "120"]]],
};
