// Writes dist/base.bin, the memory of a VM in which the prelude was evaluated, which src/base.ts describes.
// Usage: tsx packages/quickjs/build/bake-base.mjs
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bakeBase } from "../src/base.ts";
import { loadEngine } from "../src/engine.ts";

const target = join(dirname(dirname(fileURLToPath(import.meta.url))), "dist", "base.bin");
const base = await bakeBase(await loadEngine());
mkdirSync(dirname(target), { recursive: true });
if (!existsSync(target) || !base.equals(readFileSync(target))) writeFileSync(target, base);
