// The one entry behind every root command. Usage: node scripts/dev.mjs <start|test|build|lint|types|check> [arguments]
//
// Free of dependencies and readable by old Node versions, because it runs before anything is installed. It checks
// Node, installs when the lockfile changed, builds, then runs the command.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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
  lint: () => (build(), lint()),
  types: () => (build(), types()),
  check: () => (build(), check()),
};
if (!Object.hasOwn(commands, command)) {
  console.error(`Unknown command "${command}". Use one of: ${Object.keys(commands).join(", ")}.`);
  process.exit(2);
}
install();
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
  run("npx", ["--yes", PNPM, "install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=warn"]);
}

function build() {
  note("Building");
  run("node", [join("packages", "guest", "build", "bundle-prelude.mjs")]);
  run("tsup", []);
}

function lint() {
  run("prettier", ["--check", "--log-level=warn", "."]);
  run("eslint", ["."]);
}

function types() {
  run("tsc", ["-b"]);
  run("tsc", ["-p", "tsconfig.tests.json"]);
}

function check() {
  types();
  lint();
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
