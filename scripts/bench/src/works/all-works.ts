import { trivialCell } from "./p01-trivial-cell.js";
import { sequentialCalls } from "./p02-sequential-calls.js";
import { parallelCalls } from "./p03-parallel-calls.js";
import { resume } from "./p04-resume.js";
import { parkedCell } from "./p05-parked-cell.js";
import { freedMemory } from "./p06-freed-memory.js";
import { catalogSize } from "./p07-catalog-size.js";
import { manyCells } from "./p08-many-cells.js";
import { coldStart } from "./p09-cold-start.js";
import { largeCatalog } from "./p10-large-catalog.js";
import { searchQuality } from "./p11-search-quality.js";
import { promptTokens } from "./p12-prompt-tokens.js";
import { memory } from "./p13-memory.js";
import { escapes } from "./p14-escapes.js";
import type { Work } from "./work.js";

/** In the order in which they run and are shown. */
export const ALL_WORKS: readonly Work[] = [
  trivialCell,
  sequentialCalls,
  parallelCalls,
  resume,
  parkedCell,
  freedMemory,
  catalogSize,
  manyCells,
  coldStart,
  largeCatalog,
  searchQuality,
  promptTokens,
  memory,
  escapes,
];
