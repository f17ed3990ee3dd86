import { expect, test } from "vitest";
import type { ActivationConfig } from "./activation-config.js";
import { auditModelTiers } from "./audit-model-tiers.js";
import { preferredModels, resellerProviders, tierOf, type ModelRow } from "./model-tiers.js";
import { resolveActivation } from "./resolve-activation.js";

const preferred: ModelRow = { provider: "openai", id: "gpt-5.6" };
const capable: ModelRow = { provider: "ollama", id: "small" };
test("ACT-01: omitted, false and an object without enabled stay off", () => {
  for (const codeMode of [undefined, false, { timeoutMs: 500 }] as const) {
    const config = codeMode === undefined ? {} : { tools: { codeMode } };
    expect(resolveActivation({ config, model: preferred }).engaged).toBe(false);
  }
});

test("ACT-03: the source and the reason are said", () => {
  const config: ActivationConfig = { tools: { codeMode: "auto" } };
  expect(resolveActivation({ config, model: preferred })).toMatchObject({
    engaged: true,
    source: "global",
    reason: "the model is preferred for code mode",
  });
  expect(resolveActivation({ config, model: capable })).toMatchObject({
    engaged: false,
    source: "global",
    reason: "the model is capable, not preferred, for code mode",
  });
  expect(resolveActivation({ model: preferred })).toMatchObject({
    source: "default",
    reason: "code mode is not configured",
  });
});

test("ACT-04: a model row takes only a boolean, and a wildcard row none", () => {
  const rows = (models: object): ActivationConfig => ({ agents: { defaults: { models: models as never } } });
  expect(() => resolveActivation({ config: rows({ "openai/x": { codeMode: "auto" } }), model: preferred })).toThrow(
    'agents.defaults.models["openai/x"].codeMode: must be true or false, not "auto"; "auto" belongs on tools.codeMode',
  );
  expect(() => resolveActivation({ config: rows({ "openai/*": { codeMode: true } }), model: preferred })).toThrow(
    'agents.defaults.models["openai/*"].codeMode: a wildcard row cannot set codeMode; name one model',
  );
});

test("ACT-04: a mistake in another agent's settings is found too", () => {
  const agents = (entries: object): ActivationConfig => ({ agents: { entries: entries as never } });
  const expectRefused = (entries: object, message: string) => {
    expect(() => resolveActivation({ config: agents(entries), agentId: "a", model: preferred })).toThrow(message);
  };
  expectRefused(
    { a: {}, b: { models: { "openai/*": { codeMode: false } } } },
    'agents.entries.b.models["openai/*"].codeMode: a wildcard row cannot set codeMode; name one model',
  );
  expectRefused(
    { b: { tools: { codeMode: { timeoutMs: "5" } } } },
    'agents.entries.b.tools.codeMode.timeoutMs: must be a finite number, not "5"',
  );
});

test.each([
  [{ tools: true }, "tools: must be an object, not true"],
  [{ agents: [] }, "agents: must be an object, not an array"],
  [{ agents: { defaults: null } }, "agents.defaults: must be an object, not null"],
  [{ agents: { defaults: { models: "x" } } }, 'agents.defaults.models: must be an object, not "x"'],
  [{ agents: { defaults: { models: { "a/b": null } } } }, 'agents.defaults.models["a/b"]: must be an object, not null'],
  [{ agents: { entries: { a: null } } }, "agents.entries.a: must be an object, not null"],
  [{ agents: { entries: { a: { tools: 1 } } } }, "agents.entries.a.tools: must be an object, not 1"],
])("ACT-09: a configuration of the wrong shape is refused with its path: %j", (config, message) => {
  expect(() => resolveActivation({ config: config as never, agentId: "a", model: preferred })).toThrow(message);
});

test("names of built-in properties are ordinary names", () => {
  const model = { provider: "constructor", id: "toString" };
  expect(tierOf(model)).toBe("capable");
  const config: ActivationConfig = { tools: { codeMode: true } };
  expect(resolveActivation({ config, agentId: "__proto__", model })).toMatchObject({ engaged: true, source: "global" });
});

test("ACT-01: other fields of the host's configuration are the host's", () => {
  const config = {
    tools: { sandbox: {}, codeMode: true },
    agents: { defaults: { models: { "openai/*": { agentRuntime: { id: "native" } } }, workspace: "." } },
  } as ActivationConfig;
  expect(resolveActivation({ config, model: preferred }).engaged).toBe(true);
});

test("ACT-05: an override changes activation only; limits are global with the agent's on top", () => {
  const config: ActivationConfig = {
    tools: { codeMode: { enabled: false, timeoutMs: 500, maxPendingToolCalls: 3 } },
    agents: {
      defaults: { models: { "openai/gpt-5.6": { codeMode: true } } },
      entries: { a: { tools: { codeMode: { timeoutMs: 700 } } } },
    },
  };
  const { engaged, limits } = resolveActivation({ config, agentId: "a", model: preferred });
  expect([engaged, limits.timeoutMs, limits.maxPendingToolCalls]).toEqual([true, 700, 3]);
});

test("ACT-06: a fallback model is resolved with its own row and tier", () => {
  const config: ActivationConfig = {
    tools: { codeMode: "auto" },
    agents: { defaults: { models: { "ollama/small": { codeMode: true } } } },
  };
  expect(resolveActivation({ config, model: capable }).source).toBe("default_model");
  expect(resolveActivation({ config, model: { provider: "ollama", id: "other" } }).engaged).toBe(false);
});

test("ACT-07, ACT-08: runs and models without tools never engage", () => {
  const config: ActivationConfig = { tools: { codeMode: true } };
  for (const run of [{ isRawModelCall: true }, { disableTools: true }, { allow: [] }]) {
    expect(resolveActivation({ config, model: preferred, run }).engaged).toBe(false);
  }
  const model = { ...preferred, compat: { supportsTools: false } };
  expect(resolveActivation({ config, model }).reason).toBe("the model does not support tools");
});

test("ACT-14: a row without a tier is reported once a row of the same weights states one", () => {
  const rows: ModelRow[] = [
    { provider: "moonshot", id: "kimi-k3", compat: { codeMode: "preferred" } },
    { provider: "novita", id: "moonshotai/Kimi-K3" },
    { provider: "kimi", id: "k3", upstreamModel: "moonshot/kimi-k3" },
    { provider: "together", id: "moonshotai/kimi-k3", compat: { codeMode: "capable" } },
    { provider: "ollama", id: "lonely" },
  ];
  const siblings = ["moonshot/kimi-k3", "together/moonshotai/kimi-k3"];
  expect(auditModelTiers(rows)).toEqual([
    { row: "novita/moonshotai/Kimi-K3", siblings },
    { row: "kimi/k3", siblings },
  ]);
});

test("ACT-15: the shipped table is data; auto engages its models where their own provider serves them", () => {
  expect(Object.values(preferredModels).flat()).toHaveLength(29);
  expect(resellerProviders).toHaveLength(13);
  const config: ActivationConfig = { tools: { codeMode: "auto" } };
  for (const [provider, ids] of Object.entries(preferredModels)) {
    for (const id of ids) {
      expect(resolveActivation({ config, model: { provider, id } }).engaged).toBe(true);
      for (const reseller of resellerProviders) expect(tierOf({ provider: reseller, id })).toBe("capable");
    }
  }
  expect(resellerProviders.filter((provider) => Object.hasOwn(preferredModels, provider))).toEqual([]);
  expect(tierOf({ ...preferred, compat: { codeMode: "capable" } })).toBe("capable");
});
