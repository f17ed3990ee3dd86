import ts from "typescript";
import type { Problem } from "../workspace/problems.js";
import type { SourceTree } from "../workspace/source-tree.js";
import { fileText } from "../workspace/packages.js";

/** `partial`: proved as far as the feature exists; `open`: no test names it. */
export type RequirementStatus = "open" | "partial" | "proved";

export interface Requirement {
  readonly id: string;
  readonly behaviour: string;
}

const REQUIREMENTS_FILE = "docs/requirements.json";
export const STATUS_FILE = "docs/requirements-status.json";

/** Where a test names a requirement. */
export interface Naming {
  readonly id: string;
  readonly file: string;
  readonly line: number;
}

export function readRequirements(tree: SourceTree): Requirement[] {
  return JSON.parse(fileText(tree, REQUIREMENTS_FILE)) as Requirement[];
}

export function readStatus(tree: SourceTree): Record<string, RequirementStatus> {
  return JSON.parse(fileText(tree, STATUS_FILE)) as Record<string, RequirementStatus>;
}

/** Findings where the status file, the manifest of requirements and the names of the tests disagree. */
export function checkRequirements(tree: SourceTree): Problem[] {
  const known = new Set(readRequirements(tree).map(({ id }) => id));
  const status = readStatus(tree);
  const namings = requirementNamings(tree);
  const named = new Set(namings.map(({ id }) => id));
  const unknown = namings.filter(({ id }) => !known.has(id));
  return [
    ...unknown.map(({ id, file, line }) => ({
      file,
      line,
      message: `names ${id}, which ${REQUIREMENTS_FILE} does not have`,
    })),
    ...[...known].flatMap((id) => statusFinding(id, status[id], named.has(id))),
    ...Object.keys(status)
      .filter((id) => !known.has(id))
      .map((id) => ({ file: STATUS_FILE, message: `has ${id}, which ${REQUIREMENTS_FILE} does not have` })),
  ];
}

function statusFinding(id: string, status: RequirementStatus | undefined, isNamed: boolean): Problem[] {
  if (status === undefined) return [{ file: STATUS_FILE, message: `leaves out ${id}` }];
  if (status === "open" && isNamed) return [{ file: STATUS_FILE, message: `calls ${id} open, and a test names it` }];
  if (status !== "open" && !isNamed)
    return [{ file: STATUS_FILE, message: `calls ${id} ${status}, and no test names it` }];
  return [];
}

/** Every id in the name of a test or of a group of tests, contract suites included. */
export function requirementNamings(tree: SourceTree): Naming[] {
  const isSuite = (file: string): boolean =>
    file.endsWith(".test.ts") || /^packages\/testing\/src\/.*-contract\.ts$/.test(file);
  return [...tree].filter(([file]) => isSuite(file)).flatMap(([file, text]) => namingsOf(file, text));
}

const TEST_FUNCTIONS = new Set(["test", "it", "describe"]);

function namingsOf(file: string, text: string): Naming[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const namings: Naming[] = [];
  const visit = (node: ts.Node): void => {
    const name = testName(node);
    if (name !== undefined) {
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
      namings.push(...idsOf(name.getText(source)).map((id) => ({ id, file, line })));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return namings;
}

/** First argument of `test(…)`, `describe.each(…)(…)` and the like. */
function testName(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  let callee: ts.Expression = node.expression;
  while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
  const isTest = ts.isIdentifier(callee) && TEST_FUNCTIONS.has(callee.text);
  const [name] = node.arguments;
  return isTest && name !== undefined && (ts.isStringLiteralLike(name) || ts.isTemplateExpression(name))
    ? name
    : undefined;
}

/** Ids anywhere in the part of the name before its first colon: `EXEC-04, LIM-01: loops end`. */
function idsOf(name: string): string[] {
  const head = name.slice(0, name.indexOf(":") + 1);
  return head.match(/\b[A-Z][A-Z0-9]{1,5}-\d{2}\b/g) ?? [];
}
