import { buildCatalog, searchCatalog } from "@codemode/catalog";
import MiniSearch from "minisearch";
import { asTool, NO_CASES, readSearchCases, type CaseTool, type SearchCases } from "../cases.js";
import { interleave, type Contender } from "../interleave.js";
import { summaryOf, toSides } from "../sides.js";
import { atLeast } from "../targets.js";
import type { Work } from "./work.js";

const DEPTHS = [1, 8, 20];
const ours = (depth: number) => `codemode, first ${depth}`;
const theirs = (depth: number) => `minisearch with boosts, first ${depth}`;

/** Names of the tools found, best first. */
type Search = (query: string) => readonly string[];

export const searchQuality: Work = {
  id: "P11",
  title: "questions with every tool they need among the first results",
  async measure() {
    const contenders = DEPTHS.flatMap((depth) => [
      quality(ours(depth), depth, ourSearch),
      quality(theirs(depth), depth, minisearch),
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

function quality(name: string, depth: number, searchIn: (tools: readonly CaseTool[]) => Search): Contender {
  return {
    name,
    async open() {
      const { tools, questions } = readSearchCases();
      const search = searchIn(tools);
      return { measure: async () => 100 * shareFound(questions, search, depth), close: async () => {} };
    },
  };
}

function shareFound(questions: SearchCases["questions"], search: Search, depth: number): number {
  if (questions.length === 0) throw new Error(NO_CASES);
  const answered = questions.filter(({ query, expect }) => {
    const found = search(query).slice(0, depth);
    return expect.every((name) => found.includes(name));
  });
  return answered.length / questions.length;
}

function ourSearch(tools: readonly CaseTool[]): Search {
  const catalog = buildCatalog(tools.map(asTool));
  return (query) => searchCatalog(catalog, query, { limit: Math.max(...DEPTHS) }).map(({ toolName }) => toolName);
}

function minisearch(tools: readonly CaseTool[]): Search {
  const index = new MiniSearch({ fields: ["name", "description", "parameters"], idField: "name" });
  index.addAll(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters: JSON.stringify(parameters) })),
  );
  return (query) => index.search(query, { boost: { name: 3, description: 2 } }).map(({ id }) => String(id));
}
