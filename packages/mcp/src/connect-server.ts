import type { McpServerDescriptor } from "@codemode/protocol";
import { followTools, type ToolListing } from "./follow-tools.js";
import type { McpServerConfig } from "./mcp-config.js";
import { openLife, type OpenLifeOptions } from "./open-life.js";
import { limitsOf, type McpLimits } from "./options.js";
import { oneLine } from "./one-line.js";
import type { McpServerProblem } from "./problem.js";
import type { ProcessGuard } from "./process-guard.js";
import { createRestartBackoff, type MonotonicClock } from "./restart-backoff.js";
import { createServerQuestions, type ServerQuestions } from "./server-questions.js";
import { createServerLives, type Revival } from "./server-lives.js";
import { decodeLog, type McpLogEntry } from "./server-notes.js";
import { explainStart } from "./start-failures.js";
import { createSecretMask } from "./secret-mask.js";
import { limitStart } from "./start-limit.js";

/** A server that was up and listed. Owned: `close` it. */
export interface ConnectedServer {
  /** Another one once its tools changed. */
  descriptor(): McpServerDescriptor;
  /** What is wrong with its tools as they are now. */
  problems(): readonly McpServerProblem[];
  /** Undefined while there is no process. */
  processId(): number | undefined;
  close(): Promise<void>;
}

export interface ConnectServerOptions {
  readonly limits: McpLimits;
  readonly guard: ProcessGuard;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly onLog: ((entry: McpLogEntry) => void) | undefined;
  /** Whether servers may ask questions. */
  readonly elicitation: boolean;
  /** The caller's; undefined when it cannot change its mind. */
  readonly signal: AbortSignal | undefined;
  /** False: a server that is gone stays gone. */
  readonly isRevivable: boolean;
  readonly clock: MonotonicClock;
  /** The server's descriptor or its problems are others now. */
  readonly onChange: (server: string) => void;
  /** The server has begun a new life. Must not throw. */
  readonly onRevived: (server: string, revival: Revival) => void;
}

/**
 * Starts a server, shakes hands and lists its tools.
 *
 * @throws {CodeModeError} `mcp_server_failed`; `details.reason` is one line with the next step. No process is left then.
 */
export async function connectServer(
  name: string,
  config: McpServerConfig,
  options: ConnectServerOptions,
): Promise<ConnectedServer> {
  const limits = limitsOf(config, options.limits);
  const questions = options.elicitation ? openQuestions(name, options) : undefined;
  const mask = createSecretMask(config);
  let listing: ToolListing | undefined = undefined;
  const opening: OpenLifeOptions = {
    ...options,
    name,
    config,
    limits,
    mask,
    listen(session) {
      if (questions !== undefined) session.onQuestion(questions.answer);
      session.onToolsChanged(() => listing?.changed());
      session.onLog((params) => {
        const entry = decodeLog(name, params, mask);
        if (entry !== undefined) options.onLog?.(entry);
      });
    },
  };
  const limit = limitStart(limits.startTimeoutMs, options.signal);
  const lives = createServerLives(await openLife(opening, limit), {
    name,
    isRevivable: options.isRevivable,
    backoff: createRestartBackoff(options.clock),
    open: (signal) => openLife(opening, limitStart(limits.startTimeoutMs, signal)),
    onRevived(revival) {
      listing?.changed();
      options.onRevived(name, revival);
    },
  });
  listing = followTools(lives, { name, limits, questions, onChange: () => options.onChange(name) });
  try {
    await listing.readFirst(limit.signal);
  } catch (error) {
    const state = lives.present().session.state();
    const failure = explainStart(error, { step: "tools/list", config, limit, state });
    await lives.close();
    options.signal?.throwIfAborted();
    throw failure;
  }
  const { descriptor, problems, stop } = listing;
  return {
    descriptor,
    problems,
    processId: () => lives.present().link.processId(),
    async close() {
      stop();
      await lives.close();
    },
  };
}

/** Over all lives of a server. Why one of its questions was not asked is logged. */
function openQuestions(name: string, { clock, onLog }: ConnectServerOptions): ServerQuestions {
  return createServerQuestions({
    now: () => clock.now(),
    onRefused: (text) => onLog?.({ server: name, level: "warning", logger: "codemode", text: oneLine(text) }),
  });
}
