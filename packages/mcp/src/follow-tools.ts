import { ProtocolError } from "@modelcontextprotocol/client";
import type { McpServerDescriptor, McpToolDescriptor } from "@codemode/protocol";
import { listTools, type FetchPage, type ToolList } from "./list-tools.js";
import type { McpLimits } from "./options.js";
import type { McpServerProblem } from "./problem.js";
import { describeServer } from "./server-descriptor.js";
import type { ServerQuestions } from "./server-questions.js";
import type { ServerLife } from "./server-life.js";
import type { ServerLives } from "./server-lives.js";
import { reasonOf } from "./start-failures.js";
import { watchToolList } from "./tool-list-watch.js";

/** JSON-RPC's code for a method the other side does not have. */
const METHOD_NOT_FOUND = -32601;

/** Time from a change of the tool list to its reading, the least and the longest, in ms. */
const RELIST_INTERVAL_MS = { least: 200, longest: 10_000 };

export interface FollowToolsOptions {
  /** As configured. */
  readonly name: string;
  readonly limits: McpLimits;
  /** Undefined when the server may ask nothing. */
  readonly questions: ServerQuestions | undefined;
  /** What the server offers, or its problems, are others now. */
  readonly onChange: () => void;
}

/** The tools of a server as they are now. Owned: `stop` it. */
export interface ToolListing {
  /** @throws what `listTools` throws. */
  readFirst(signal: AbortSignal): Promise<void>;
  /** They may be others now: they are read again soon, unless the server is gone by then. */
  changed(): void;
  descriptor(): McpServerDescriptor;
  problems(): readonly McpServerProblem[];
  stop(): void;
}

/** A list that cannot be read again leaves the one before. */
export function followTools(
  lives: ServerLives,
  { name, limits, questions, onChange }: FollowToolsOptions,
): ToolListing {
  const describe = (tools: readonly McpToolDescriptor[]) =>
    describeServer(lives, { name, tools, questions, ...limits });
  let list: ToolList = { tools: [], faults: [] };
  let descriptor = describe([]);
  let known = "";

  /** Whether anything is other than before. */
  function take(next: ToolList): boolean {
    const nextDescriptor = describe(next.tools);
    const nextKnown = JSON.stringify([next, Object.keys(nextDescriptor)]);
    if (nextKnown === known) return false;
    [list, descriptor, known] = [next, nextDescriptor, nextKnown];
    return true;
  }

  /** Starts no server again: one that dies of being listed would never come to rest. */
  async function readAgain(): Promise<void> {
    const life = lives.present();
    if (!isUsable(life)) return;
    const signal = AbortSignal.timeout(limits.requestTimeoutMs);
    const next = await listTools(toolPages(life, signal), limits).catch((error: unknown) => {
      const reason = signal.aborted
        ? `it did not answer tools/list within ${limits.requestTimeoutMs} ms`
        : reasonOf(error);
      return {
        tools: list.tools,
        faults: [{ problem: `its tools changed, and the new list could not be read: ${reason}` }],
      };
    });
    if (isUsable(life) && take(next)) onChange();
  }

  const watch = watchToolList({
    read: readAgain,
    minIntervalMs: RELIST_INTERVAL_MS.least,
    maxIntervalMs: RELIST_INTERVAL_MS.longest,
  });
  return {
    readFirst: async (signal) => void take(await listTools(toolPages(lives.present(), signal), limits)),
    changed: watch.changed,
    descriptor: () => descriptor,
    problems: () => list.faults.map((fault) => ({ server: name, isServerLost: false, ...fault })),
    stop: watch.stop,
  };
}

function isUsable({ session }: ServerLife): boolean {
  const { isClosed, loss } = session.state();
  return !isClosed && loss === undefined;
}

/** Servers without tools may say so by not knowing the method. */
function toolPages({ session, request }: ServerLife, signal: AbortSignal): FetchPage {
  return async (cursor) => {
    try {
      return await request("tools/list", cursor === undefined ? undefined : { cursor }, { signal });
    } catch (error) {
      const { cause } = error as Error;
      const isUnknown = ProtocolError.isInstance(cause) && cause.code === METHOD_NOT_FOUND;
      if (isUnknown && session.capabilities()["tools"] === undefined) return { tools: [] };
      throw error;
    }
  };
}
