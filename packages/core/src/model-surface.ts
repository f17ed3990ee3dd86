import {
  CodeModeError,
  ExecInputSchema,
  WaitInputSchema,
  type CellLanguage,
  type CellLimits,
  type JsonSchema,
  type ModelTool,
  type ToolDescriptor,
} from "@codemode/protocol";
import { renderExecDescription } from "./exec-description.js";
import type { Projection } from "./projection.js";

export const CONTROL_TOOLS = ["exec", "wait"] as const;

const WAIT_DESCRIPTION =
  'Go on with a program whose exec or wait result has status "waiting". Pass the top-level runId of that result. ' +
  "It blocks until the program rests again and returns the same kind of result as exec. Nothing is run twice.";

export interface ModelSurfaceOptions {
  readonly languages: readonly CellLanguage[];
  readonly limits: CellLimits;
}

/** The tools the model sees while code mode is engaged: exec, wait, and those whose results cannot cross the bridge. */
export function buildModelTools(
  projection: Projection,
  { languages, limits }: ModelSurfaceOptions,
): readonly ModelTool[] {
  const { catalog, surface } = projection;
  catalog.directOnly.forEach(assertFreeName);
  const description = renderExecDescription({ catalog, hasMcp: surface.mcp.length > 0, languages, limits });
  return [
    { name: "exec", description, parameters: execParameters(languages) },
    { name: "wait", description: WAIT_DESCRIPTION, parameters: WaitInputSchema as unknown as JsonSchema },
    ...catalog.directOnly.map(asModelTool),
  ];
}

/** @throws {CodeModeError} `invalid_argument`: the model would have two tools of that name. */
function assertFreeName({ name }: ToolDescriptor): void {
  if (!(CONTROL_TOOLS as readonly string[]).includes(name)) return;
  const path = `tools[${JSON.stringify(name)}].directOnly`;
  const problem = "exec and wait are the model's control tools; rename the tool or let it into the catalog";
  throw new CodeModeError("invalid_argument", `${path}: ${problem}.`, { path, problem });
}

export function asModelTool({ name, description, parameters }: ToolDescriptor): ModelTool {
  return { name, description, parameters };
}

/** The published schema, with the languages this run allows. */
function execParameters(languages: readonly CellLanguage[]): JsonSchema {
  const schema = ExecInputSchema as unknown as { readonly properties: Record<string, object> };
  const language = { ...schema.properties["language"], enum: [...languages] };
  return { ...schema, properties: { ...schema.properties, language } };
}
