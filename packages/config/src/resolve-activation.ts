import type { Activation } from "@codemode/protocol";
import { assertObject, readModelOverride, type ActivationConfig, type AgentEntry } from "./activation-config.js";
import type { ActivationTier, CodeModeConfigInput } from "./config-input.js";
import { tierOf, type ModelRow } from "./model-tiers.js";
import { readLayer } from "./read-layer.js";
import { completeConfig, mergeLayers } from "./resolve-config.js";

/** What is known of a run before its first request. */
export interface ActivationRun {
  /** A plain model call without tools. */
  readonly isRawModelCall?: boolean;
  readonly disableTools?: boolean;
  /** Names the policy allows; an empty list means a run without tools. */
  readonly allow?: readonly string[];
}

export interface ActivationInput {
  readonly config?: ActivationConfig;
  readonly agentId?: string;
  /** The model this attempt uses; resolve again for a fallback model. */
  readonly model: ModelRow;
  readonly run?: ActivationRun;
}

type Setting = { readonly tier: ActivationTier; readonly source: Activation["source"] };

/**
 * Decides whether code mode owns a run's tools: the first explicit setting of agent model, agent, default model, global,
 * else off. Overrides decide activation only; limits are the global ones with the agent's on top.
 *
 * @throws {ConfigError} for configuration that cannot be used, also that of another agent.
 */
export function resolveActivation({ config, agentId, model, run }: ActivationInput): Activation {
  const modelName = `${model.provider}/${model.id}`;
  assertObject(config?.tools, "tools");
  const global = readLayer(config?.tools?.codeMode, "tools.codeMode");
  assertObject(config?.agents, "agents");
  assertObject(config?.agents?.defaults, "agents.defaults");
  const defaultModel = readModelOverride(config?.agents?.defaults?.models, modelName, "agents.defaults.models");
  const agents = readAgents(config, modelName);
  const agent = agentId === undefined ? undefined : agents.get(agentId);
  const { layer: own, override: agentModel } = agent ?? NO_AGENT;
  const setting = firstSetting([
    ["agent_model", agentModel],
    ["agent", own.enabled],
    ["default_model", defaultModel],
    ["global", global.enabled],
  ]);
  const { limits } = completeConfig(mergeLayers([global, own]));
  return { ...decide(setting, model, run ?? {}), source: setting.source, limits };
}

interface AgentSettings {
  readonly layer: CodeModeConfigInput;
  readonly override: boolean | undefined;
}

const NO_AGENT: AgentSettings = { layer: {}, override: undefined };

/** The settings of every agent, so that a mistake is found before its agent runs. */
function readAgents(config: ActivationConfig | undefined, model: string): ReadonlyMap<string, AgentSettings> {
  assertObject(config?.agents?.entries, "agents.entries");
  const entries = Object.entries(config?.agents?.entries ?? {});
  return new Map(entries.map(([id, entry]) => [id, readAgent(entry, `agents.entries.${id}`, model)]));
}

function readAgent(entry: AgentEntry | undefined, path: string, model: string): AgentSettings {
  assertObject(entry, path);
  assertObject(entry?.tools, `${path}.tools`);
  return {
    layer: readLayer(entry?.tools?.codeMode, `${path}.tools.codeMode`),
    override: readModelOverride(entry?.models, model, `${path}.models`),
  };
}

function firstSetting(levels: readonly [Activation["source"], ActivationTier | undefined][]): Setting {
  for (const [source, tier] of levels) if (tier !== undefined) return { tier, source };
  return { tier: false, source: "default" };
}

function decide(setting: Setting, model: ModelRow, run: ActivationRun): Pick<Activation, "engaged" | "reason"> {
  if (run.isRawModelCall === true) return off("the run is a raw model call");
  if (run.disableTools === true) return off("the run has its tools disabled");
  if (run.allow?.length === 0) return off("the run's policy allows no tool");
  if (model.compat?.supportsTools === false) return off("the model does not support tools");
  if (setting.tier === false)
    return off(setting.source === "default" ? "code mode is not configured" : "code mode is off");
  if (setting.tier === true) return { engaged: true, reason: "code mode is on" };
  const tier = tierOf(model);
  if (tier === "preferred") return { engaged: true, reason: "the model is preferred for code mode" };
  return off(`the model is ${tier}, not preferred, for code mode`);
}

function off(reason: string): Pick<Activation, "engaged" | "reason"> {
  return { engaged: false, reason };
}
