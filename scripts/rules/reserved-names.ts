import { createQuickJsRuntime } from "@codemode/quickjs";
import type { GuestVm, PreparedSource } from "@codemode/protocol";

/**
 * Names the guest will have when every optional part is installed: swarm, nodes, skills and host namespaces. A tool keeps
 * its callable name when a host turns one of them on. `InternalError` is the engine's; the prelude takes it away.
 */
const OPTIONAL_GUEST_NAMES: readonly string[] = [
  ...["Atomics", "InternalError", "WebAssembly"],
  ...["agents", "image", "log", "namespaces", "nodes", "phase", "skills"],
];

/** Words tried as names; what the engine refuses in strict code is a keyword. */
const WORDS =
  "arguments async await break case catch class const continue debugger default delete do else enum eval export " +
  "extends false finally for from function get if implements import in instanceof interface let new null of package " +
  "private protected public return set static super switch this throw true try typeof using var void while with yield";

const LIMITS = {
  memoryLimitBytes: 2 ** 26,
  maxOutputBytes: 2 ** 16,
  maxSnapshotBytes: 2 ** 24,
  maxSourceBytes: 2 ** 18,
};
const BUDGET_MS = 10_000;

export interface ReservedNames {
  readonly keywords: readonly string[];
  readonly globals: readonly string[];
}

/** Asks the real engine with the real prelude. Both lists are sorted. */
export async function readReservedNames(): Promise<ReservedNames> {
  const keywords: string[] = [];
  for (const word of WORDS.split(" ")) if (await isRefusedAsName(word)) keywords.push(word);
  const globals = (await evaluateInCell(
    `const names = [];
     for (let target = globalThis; target !== null; target = Object.getPrototypeOf(target)) names.push(...Object.getOwnPropertyNames(target));
     return names;`,
  )) as string[];
  const all = new Set([...globals, ...OPTIONAL_GUEST_NAMES].filter((name) => !keywords.includes(name)));
  return { keywords: keywords.sort(), globals: [...all].sort() };
}

/** The text of `packages/catalog/src/reserved-names.ts`, not yet formatted. */
export function renderReservedNames({ keywords, globals }: ReservedNames): string {
  return `// Generated from the guest's global object and the engine's parser. Do not edit by hand.

/** Words that cannot name a binding in strict code. */
export const KEYWORDS: readonly string[] = Object.freeze(${JSON.stringify(keywords)});

/** Names of the guest's global object, own and inherited, with every optional part of the guest installed. */
export const GUEST_GLOBALS: readonly string[] = Object.freeze(${JSON.stringify(globals)});
`;
}

async function isRefusedAsName(word: string): Promise<boolean> {
  const step = await withVm((vm) => vm.evaluate(sourceOf(`let ${word} = 1; return 1;`), BUDGET_MS));
  return step.type === "failed";
}

/** The value of a cell without tools. */
export async function evaluateInCell(code: string): Promise<unknown> {
  const step = await withVm((vm) => vm.evaluate(sourceOf(code), BUDGET_MS));
  if (step.type !== "completed") throw new Error(`The engine gave ${JSON.stringify(step)}.`);
  return JSON.parse(step.value.text);
}

async function withVm<T>(work: (vm: GuestVm) => T): Promise<T> {
  const runtime = createQuickJsRuntime();
  const vm = await runtime.create({ fingerprint: "none", tools: [], mcp: [], apiFiles: [] }, { limits: LIMITS });
  try {
    return work(vm);
  } finally {
    vm.dispose();
    runtime.dispose();
  }
}

function sourceOf(code: string): PreparedSource {
  return { language: "javascript", submitted: code, code, insertions: [] };
}
