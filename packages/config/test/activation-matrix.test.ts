import { expect, test } from "vitest";
import {
  DEFAULT_LIMITS,
  resolveActivation,
  type ActivationConfig,
  type ActivationRun,
  type CodeModeConfigLayer,
  type ModelRow,
} from "../src/index.js";

// Every combination of the four levels, the tiers, a fallback model and runs without tools. What must come out is said
// by `expected` below, which knows nothing of the code under test.

/** How `tools.codeMode` can be written, globally or for an agent, and what it says. */
const SETTINGS: readonly { readonly layer?: CodeModeConfigLayer; readonly says?: boolean | "auto" }[] = [
  {},
  { layer: {} },
  { layer: { timeoutMs: 700 } },
  { layer: false, says: false },
  { layer: true, says: true },
  { layer: "auto", says: "auto" },
  { layer: { enabled: false, timeoutMs: 700 }, says: false },
  { layer: { enabled: true, timeoutMs: 700 }, says: true },
  { layer: { enabled: "auto", timeoutMs: 700 }, says: "auto" },
];

/** What a model's row can say. */
const ROWS = [undefined, true, false] as const;

/** Models by tier: stated by their row, left to the shipped table, and without tool support. */
const MODELS: readonly { readonly row: ModelRow; readonly isPreferred: boolean; readonly hasTools: boolean }[] = [
  { row: { provider: "acme", id: "m", compat: { codeMode: "preferred" } }, isPreferred: true, hasTools: true },
  { row: { provider: "acme", id: "m", compat: { codeMode: "capable" } }, isPreferred: false, hasTools: true },
  { row: { provider: "acme", id: "m" }, isPreferred: false, hasTools: true },
  { row: { provider: "openai", id: "gpt-5.6" }, isPreferred: true, hasTools: true },
  { row: { provider: "together", id: "gpt-5.6" }, isPreferred: false, hasTools: true },
  {
    row: { provider: "local", id: "m", compat: { supportsTools: false, codeMode: "preferred" } },
    isPreferred: true,
    hasTools: false,
  },
];

const RUNS: readonly { readonly run?: ActivationRun; readonly hasTools: boolean }[] = [
  { hasTools: true },
  { run: {}, hasTools: true },
  { run: { isRawModelCall: false, disableTools: false, allow: ["read"] }, hasTools: true },
  { run: { isRawModelCall: true }, hasTools: false },
  { run: { disableTools: true }, hasTools: false },
  { run: { allow: [] }, hasTools: false },
];

interface Case {
  readonly agentModel: boolean | undefined;
  readonly agent: boolean | "auto" | undefined;
  readonly defaultModel: boolean | undefined;
  readonly global: boolean | "auto" | undefined;
  readonly isPreferred: boolean;
  readonly modelHasTools: boolean;
  readonly runHasTools: boolean;
}

/** The rule as the documentation tells it: the first level that says something decides; without tools nothing engages. */
function expected(given: Case): { engaged: boolean; source: string } {
  let says: boolean | "auto" = false;
  let source = "default";
  if (given.global !== undefined) [says, source] = [given.global, "global"];
  if (given.defaultModel !== undefined) [says, source] = [given.defaultModel, "default_model"];
  if (given.agent !== undefined) [says, source] = [given.agent, "agent"];
  if (given.agentModel !== undefined) [says, source] = [given.agentModel, "agent_model"];
  const isWanted = says === true || (says === "auto" && given.isPreferred);
  return { engaged: isWanted && given.modelHasTools && given.runHasTools, source };
}

/** A wrong outcome in words; undefined for a right one, because assertions by the hundred thousand would take minutes. */
function mistake(config: ActivationConfig, model: (typeof MODELS)[number], given: Omit<Case, "modelHasTools">) {
  return RUNS.flatMap(({ run, hasTools }) => {
    const wanted = expected({ ...given, runHasTools: hasTools, modelHasTools: model.hasTools });
    const { engaged, source } = resolveActivation({
      config,
      agentId: "a",
      model: model.row,
      ...(run === undefined ? {} : { run }),
    });
    if (engaged === wanted.engaged && source === wanted.source) return [];
    return [JSON.stringify({ config, model: model.row, run, got: { engaged, source }, wanted })];
  });
}

test("ACT-01, ACT-02, ACT-03, ACT-07, ACT-08: activation is the documented one for every combination of levels, tiers and runs", () => {
  const mistakes: string[] = [];
  let checked = 0;
  for (const model of MODELS)
    for (const agentModel of ROWS)
      for (const agent of SETTINGS)
        for (const defaultModel of ROWS)
          for (const global of SETTINGS) {
            const name = `${model.row.provider}/${model.row.id}`;
            const config = configOf({ agent, global, rows: { [name]: { agentModel, defaultModel } } });
            const levels = { agentModel, agent: agent.says, defaultModel, global: global.says };
            mistakes.push(...mistake(config, model, { ...levels, isPreferred: model.isPreferred, runHasTools: true }));
            checked += RUNS.length;
          }
  expect(mistakes).toEqual([]);
  expect(checked).toBe(6 * 3 * 9 * 3 * 9 * 6);
});

test("ACT-06, ACT-07: a fallback model is resolved by its own rows and tier, whatever the first model's are", () => {
  const mistakes: string[] = [];
  const [first] = MODELS;
  for (const fallback of MODELS.slice(3))
    for (const firstAgentModel of ROWS)
      for (const firstDefaultModel of ROWS)
        for (const agentModel of ROWS)
          for (const defaultModel of ROWS)
            for (const agent of SETTINGS.slice(2, 6))
              for (const global of SETTINGS.slice(2, 6)) {
                const rows = {
                  "acme/m": { agentModel: firstAgentModel, defaultModel: firstDefaultModel },
                  [`${fallback.row.provider}/${fallback.row.id}`]: { agentModel, defaultModel },
                };
                const config = configOf({ agent, global, rows });
                const both = { agent: agent.says, global: global.says, runHasTools: true };
                mistakes.push(
                  ...mistake(config, first as (typeof MODELS)[number], {
                    ...both,
                    agentModel: firstAgentModel,
                    defaultModel: firstDefaultModel,
                    isPreferred: true,
                  }),
                  ...mistake(config, fallback, {
                    ...both,
                    agentModel,
                    defaultModel,
                    isPreferred: fallback.isPreferred,
                  }),
                );
              }
  expect(mistakes).toEqual([]);
});

test("ACT-05: no level but the agent's and the global options touches a limit, engaged or not", () => {
  for (const agentModel of ROWS)
    for (const agent of SETTINGS)
      for (const global of SETTINGS) {
        const config = configOf({ agent, global, rows: { "acme/m": { agentModel, defaultModel: true } } });
        const { limits } = resolveActivation({ config, agentId: "a", model: { provider: "acme", id: "m" } });
        const isSet = [agent, global].some(({ layer }) => typeof layer === "object" && layer.timeoutMs !== undefined);
        expect(limits).toEqual({ ...DEFAULT_LIMITS, timeoutMs: isSet ? 700 : 10_000 });
      }
});

type RowsOfModel = { readonly agentModel: boolean | undefined; readonly defaultModel: boolean | undefined };

function configOf(parts: {
  readonly agent: (typeof SETTINGS)[number];
  readonly global: (typeof SETTINGS)[number];
  readonly rows: Readonly<Record<string, RowsOfModel>>;
}): ActivationConfig {
  const models = (level: keyof RowsOfModel) =>
    Object.fromEntries(
      Object.entries(parts.rows).map(([name, row]) => {
        const codeMode = row[level];
        return [name, codeMode === undefined ? { agentRuntime: { id: "own" } } : { codeMode }];
      }),
    );
  return {
    tools: toolsOf(parts.global.layer),
    agents: {
      defaults: { models: models("defaultModel") },
      entries: { a: { tools: toolsOf(parts.agent.layer), models: models("agentModel") }, b: {} },
    },
  };
}

function toolsOf(codeMode: CodeModeConfigLayer | undefined): { readonly codeMode?: CodeModeConfigLayer } {
  return codeMode === undefined ? {} : { codeMode };
}
