import { createCodeMode } from "@codemode/core";
import { buildCatalog, searchCatalog, type Catalog } from "@codemode/catalog";
import MiniSearch from "minisearch";
import { interleave, type Contender } from "../interleave.js";
import { madeQuery, madeTools } from "../made-tools.js";
import { summaryOf, toSides } from "../sides.js";
import { atMost } from "../targets.js";
import { watchTimer } from "../timer-lateness.js";
import type { Work } from "./work.js";

const SIZE = 10_000;
const LIMIT = 8;
const BUILD = "codemode, build";
const APPEND = "codemode, one tool appended";
const SEARCH = "codemode, search";
const LATENESS = "codemode, host timer's worst lateness in the first search";
const MINISEARCH_BUILD = "minisearch, build";
const MINISEARCH = "minisearch, search";

export const largeCatalog: Work = {
  id: "P10",
  title: `a catalog of ${SIZE} tools`,
  async measure(scale) {
    const builds = await interleave(
      [ourBuild, ourAppend, minisearchBuild, firstSearch],
      scale.interleaved(15_000, { warmUps: 1, maxSamples: scale.isQuick ? 2 : 20 }),
    );
    const searches = await interleave([ourSearch, minisearchSearch], scale.interleaved(10_000));
    const sides = toSides([...builds, ...searches], (name) => {
      if (name === MINISEARCH_BUILD) return { role: "peer", unit: "ms", against: BUILD };
      if (name === MINISEARCH) return { role: "peer", unit: "ms", against: SEARCH };
      return { role: "ours", unit: "ms" };
    });
    return {
      sides,
      targets: [
        atMost({ text: "build", actual: summaryOf(sides, BUILD)?.p50, limit: 400, unit: "ms" }),
        atMost({ text: "search", actual: summaryOf(sides, SEARCH)?.p50, limit: 2, unit: "ms" }),
      ],
    };
  },
};

/** Measures a synchronous work; `prepare` is not counted and runs once. */
function synchronous<Prepared>(
  name: string,
  prepare: () => Prepared,
  work: (prepared: Prepared, turn: number) => unknown,
): Contender {
  return {
    name,
    async open() {
      const prepared = prepare();
      let turn = 0;
      return {
        async measure() {
          const startedAt = performance.now();
          work(prepared, turn++);
          return performance.now() - startedAt;
        },
        close: async () => {},
      };
    },
  };
}

const ourBuild = synchronous(
  BUILD,
  () => madeTools(SIZE),
  (tools) => buildCatalog(tools),
);

const ourAppend = synchronous(
  APPEND,
  () => {
    const tools = madeTools(SIZE);
    return { tools, previous: searched(buildCatalog(tools)) };
  },
  ({ tools, previous }, turn) => {
    const [added] = madeTools(1);
    if (added === undefined) return;
    searched(buildCatalog([...tools, { ...added, name: `added_${turn}` }], { previous }));
  },
);

/** A catalog whose index is there. */
function searched(catalog: Catalog): Catalog {
  searchCatalog(catalog, madeQuery(0), { limit: LIMIT });
  return catalog;
}

const ourSearch = synchronous(
  SEARCH,
  () => searched(buildCatalog(madeTools(SIZE))),
  (catalog, turn) => searchCatalog(catalog, madeQuery(turn), { limit: LIMIT }),
);

const minisearchBuild = synchronous(
  MINISEARCH_BUILD,
  () => madeTools(SIZE),
  () => minisearchOf(),
);

const minisearchSearch = synchronous(MINISEARCH, minisearchOf, (index, turn) =>
  index.search(madeQuery(turn), { boost: { name: 3 } }).slice(0, LIMIT),
);

function minisearchOf(): MiniSearch {
  const index = new MiniSearch({ fields: ["name", "description", "parameters"], idField: "name" });
  index.addAll(
    madeTools(SIZE).map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: JSON.stringify(parameters),
    })),
  );
  return index;
}

/** A cell that searches in a run just opened: how long the host's own timers had to wait for it. */
const firstSearch: Contender = {
  name: LATENESS,
  async open() {
    const host = createCodeMode({ workers: { min: 1, max: 1 }, config: { timeoutMs: 30_000 } });
    await host.prewarm();
    return {
      async measure() {
        const run = host.openRun({ scope: { agentRunId: "bench" }, tools: madeTools(SIZE) });
        await run.exec({ code: "return 1" });
        const timer = watchTimer();
        await run.exec({ code: `return (await catalog.search(${JSON.stringify(madeQuery(5))})).length` });
        const worst = timer.stop().at(-1) ?? 0;
        await run.close();
        return worst;
      },
      close: () => host.close(),
    };
  },
};
