import { buildCatalog, searchCatalog } from "@codemode/catalog";
import MiniSearch from "minisearch";
import { asTool, NO_CASES, readSearchCases, type CaseTool } from "../cases.js";
import { interleave, type Contender } from "../interleave.js";
import { summaryOf, toSides } from "../sides.js";
import { atLeast } from "../targets.js";
import type { Work } from "./work.js";

const DEPTHS = [1, 8, 20];
const DEEPEST = Math.max(...DEPTHS);
const ours = (depth: number) => `codemode, first ${depth}`;
const theirs = (depth: number) => `minisearch with boosts, first ${depth}`;

/** Names of the tools found, best first. */
type Search = (query: string) => readonly string[];

export const searchQuality: Work = {
  id: "P11",
  title: "questions with every tool they need among the first results",
  async measure({ isQuick }) {
    const [ourAnswers, theirAnswers] = [answersOf(ourSearch), answersOf(minisearch)];
    // The peer takes most of the time, and its share never changes: a quick run leaves it out.
    const contenders = DEPTHS.flatMap((depth) => [
      quality(ours(depth), depth, ourAnswers),
      ...(isQuick ? [] : [quality(theirs(depth), depth, theirAnswers)]),
    ]);
    // A share is the same each time: once is enough.
    const once = { warmUps: 0, maxSamples: 1, budgetMs: 0, turnMs: 0, now: () => 0, settle: async () => {} };
    const sides = toSides(await interleave(contenders, once), (name) => ({
      role: name.startsWith("codemode") ? "ours" : "peer",
      unit: "%",
    }));
    const found = summaryOf(sides, ours(8))?.p50;
    return { sides, targets: [atLeast({ text: "among the first 8", actual: found, limit: 90, unit: "%" })] };
  },
};

/** What a search found for one question, and what it should have. */
interface Answer {
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** Asks every question once, when the answers are first wanted. */
function answersOf(searchIn: (tools: readonly CaseTool[]) => Search): () => readonly Answer[] {
  let answers: readonly Answer[] | undefined;
  return () => {
    if (answers !== undefined) return answers;
    const { tools, questions } = readSearchCases();
    if (questions.length === 0) throw new Error(NO_CASES);
    const search = searchIn(tools);
    answers = questions.map(({ query, expect }) => ({ expected: expect, found: search(query).slice(0, DEEPEST) }));
    return answers;
  };
}

function quality(name: string, depth: number, answers: () => readonly Answer[]): Contender {
  const measure = async () => 100 * shareFound(answers(), depth);
  return { name, open: async () => ({ measure, close: async () => {} }) };
}

function shareFound(answers: readonly Answer[], depth: number): number {
  const right = answers.filter(({ expected, found }) => {
    const first = found.slice(0, depth);
    return expected.every((name) => first.includes(name));
  });
  return right.length / answers.length;
}

function ourSearch(tools: readonly CaseTool[]): Search {
  const catalog = buildCatalog(tools.map(asTool));
  return (query) => searchCatalog(catalog, query, { limit: DEEPEST }).map(({ toolName }) => toolName);
}

function minisearch(tools: readonly CaseTool[]): Search {
  const index = new MiniSearch({ fields: ["name", "description", "parameters"], idField: "name" });
  index.addAll(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters: JSON.stringify(parameters) })),
  );
  return (query) => index.search(query, { boost: { name: 3, description: 2 } }).map(({ id }) => String(id));
}
