// The one entry behind every root command. Usage: node scripts/dev.mjs <command> [arguments]
//
//   start          installs, builds, runs examples/demo
//   test           installs, builds, runs the tests; arguments go to vitest
//   build          installs, builds
//   lint, types    installs, builds, runs that check
//   check          installs, runs every check in order, as CI does; arguments name single stages of scripts/stages.mjs
//   bench          installs, builds, measures Codemode beside its peers; [--quick] [--json FILE] [ID …]
//   soak           installs, builds, plays thousands of mixed cells; [--quick] [--cells N] [--seed N] [--json FILE]
//   pnpm           runs the pinned package manager with the arguments
//
// Free of dependencies and readable by old Node versions, because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt, markBuilt } from "./build-stamp.mjs";
import { STAGES } from "./stages.mjs";

const MINIMUM_NODE = [20, 19];
const PNPM = "pnpm@12.21.0";
const root = dirname(dirname(fileURLToPath(import.meta.url)));

assertNodeVersion();
process.env.PATH = join(root, "node_modules", ".bin") + delimiter + (process.env.PATH || "");
const [command = "", ...extra] = process.argv.slice(2);
const commands = {
  build: () => build(),
  start: () => (build(), run("node", [join("examples", "demo", "dist", "main.js"), ...extra])),
  test: () => (build(), run("vitest", ["run", ...extra])),
  lint: () => (build(), stage("format"), stage("lint")),
  types: () => (build(), stage("types")),
  check: () => checkAll(extra),
  bench: () => (build(), run("node", [join("scripts", "bench", "dist", "main.js"), ...extra])),
  soak: () => (build(), run("node", [join("scripts", "soak", "dist", "main.js"), ...extra])),
  pnpm: () => pnpm(extra),
};
if (!Object.hasOwn(commands, command)) {
  console.error(`Unknown command "${command}". Use one of: ${Object.keys(commands).join(", ")}.`);
  process.exit(2);
}
if (command !== "pnpm") install();
commands[command]();

function assertNodeVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  console.error(
    `Codemode needs Node ${MINIMUM_NODE.join(".")} or newer; this is ${process.versions.node}. ` +
      "Install a current Node, then run the same command again.",
  );
  process.exit(1);
}

function install() {
  const installed = join(root, "node_modules", ".pnpm", "lock.yaml");
  const wanted = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  if (existsSync(installed) && readFileSync(installed, "utf8") === wanted) return;
  note("Installing dependencies");
  pnpm(["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"]);
}

/** The pinned package manager, which nobody has to install. */
function pnpm(args) {
  run("npx", ["--yes", "--prefer-offline", PNPM, ...args]);
}

function build() {
  if (isBuilt(root)) return;
  note("Building");
  run("node", [join("packages", "guest", "build", "bundle-prelude.mjs")]);
  run("tsup", []);
  run("tsx", [join("packages", "quickjs", "build", "bake-base.mjs")]);
  markBuilt(root);
}

function stage(name) {
  for (const [program, args] of STAGES[name]) run(program, args);
}

/** The test stage builds; single stages are for a repository that is built. */
function checkAll(names) {
  const unknown = names.filter((name) => !Object.hasOwn(STAGES, name));
  if (unknown.length > 0) {
    console.error(`Unknown stage "${unknown[0]}". Use some of: ${Object.keys(STAGES).join(", ")}.`);
    process.exit(2);
  }
  import("./check.mjs")
    .then(({ check }) => check(names, root))
    .then((isInOrder) => (process.exitCode = isInOrder ? 0 : 1));
}

/** Progress goes to standard error, so that standard output stays the command's own. */
function note(text) {
  console.error(`> ${text}`);
}

function run(program, args) {
  const result = spawnSync(program, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (result.error) {
    console.error(`Could not run ${program}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status === null ? 1 : result.status);
}
