// Tells whether the last build is still good: a stamp file is newer than everything the build reads. Free of
// dependencies, because it runs before anything is built. Folders count too, so that a deleted source is noticed.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const BUILT = ["packages", "examples", "scripts/bench", "scripts/soak"];
const CONFIGURATION = ["package.json", "pnpm-lock.yaml", "tsup.config.ts", "tsconfig.base.json"];
const SKIPPED = new Set(["node_modules", "dist", "test"]);

const stampPath = (root) => join(root, "node_modules", ".cache", "codemode-build");

/** Whether every output is there and no input is newer than the last finished build. */
export function isBuilt(root) {
  const stamp = stampPath(root);
  if (!existsSync(stamp)) return false;
  const hasOutput = readdirSync(join(root, "packages")).every((name) =>
    existsSync(join(root, "packages", name, "dist", "index.js")),
  );
  const builtAt = statSync(stamp).mtimeMs;
  const inputs = [...CONFIGURATION, ...BUILT].map((path) => join(root, path));
  return hasOutput && inputs.every((path) => newestIn(path) <= builtAt);
}

export function markBuilt(root) {
  mkdirSync(dirname(stampPath(root)), { recursive: true });
  writeFileSync(stampPath(root), "");
}

function newestIn(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  return Math.max(ownTime(path, stats), ...entries.map(({ name }) => newestIn(join(path, name))));
}

/** A folder of sources counts by itself; one that also holds outputs changes whenever they are written. */
function ownTime(path, stats) {
  return existsSync(join(path, "package.json")) ? 0 : stats.mtimeMs;
}
