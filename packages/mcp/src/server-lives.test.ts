import { expect, test } from "vitest";
import { createRestartBackoff } from "./restart-backoff.js";
import { createServerLife, type ServerLife } from "./server-life.js";
import { createServerLives, type Revival } from "./server-lives.js";
import type { ServerLink } from "./server-link.js";
import type { ServerSession } from "./server-session.js";
import { unusableReason, type SessionState } from "./session-failures.js";

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...(settle as unknown as Omit<Deferred<T>, "promise">) };
}

interface FakeLife extends ServerLife {
  readonly log: string[];
  /** The process has exited; what it wrote last is still to be read. */
  exit(): void;
  /** All of it is known. */
  lose(): void;
  /** Answers what is under way. */
  answer(): void;
}

/** A life that notes what becomes of it, and answers a request with its name once told to. */
function fakeLife(name: string): FakeLife {
  const log: string[] = [];
  const lost = deferred<void>();
  let open: Deferred<unknown>[] = [];
  const now = { isGoing: false, isClosed: false, loss: undefined as string | undefined };
  const state = (): SessionState => ({
    name: "s",
    isClosed: now.isClosed,
    loss: now.loss,
    isRevivable: true,
    hints: "",
    mask: (text) => text,
  });
  const settle = (how: (one: Deferred<unknown>) => void): void => {
    open.forEach(how);
    open = [];
  };
  const link = {
    loss: () => now.loss,
    lost: lost.promise,
    isGoing: () => now.isGoing && now.loss === undefined,
  } as unknown as ServerLink;
  const session = {
    state,
    capabilities: () => ({ [name]: {} }),
    request(method: string) {
      log.push(method);
      const unusable = unusableReason(state());
      if (unusable !== undefined) return Promise.reject(unusable);
      const answer = deferred<unknown>();
      open.push(answer);
      return answer.promise;
    },
    async close() {
      now.isClosed = true;
      log.push("closed");
      settle(({ reject }) => reject(unusableReason(state())));
    },
  } as unknown as ServerSession;
  return {
    ...createServerLife(link, session),
    log,
    exit: () => (now.isGoing = true),
    lose() {
      now.loss = "it exited with code 7";
      lost.resolve(undefined);
      settle(({ reject }) => reject(unusableReason(state())));
    },
    answer: () => settle(({ resolve }) => resolve(name)),
  };
}

/** Lives of a server whose attempts to begin the next one settle as the test says. */
function openLives() {
  const attempts: (Deferred<ServerLife> & { readonly signal: AbortSignal })[] = [];
  const revivals: Revival[] = [];
  const first = fakeLife("first");
  let now = 0;
  const lives = createServerLives(first, {
    name: "s",
    isRevivable: true,
    backoff: createRestartBackoff({ now: () => now }),
    open(signal) {
      const attempt = { ...deferred<ServerLife>(), signal };
      attempts.push(attempt);
      return attempt.promise;
    },
    onRevived: (revival) => void revivals.push(revival),
  });
  return { lives, first, attempts, revivals, pass: (ms: number) => void (now += ms) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const closed = { code: "closed", message: 'MCP server "s" was closed.' };

test("a request to a life that goes on is sent at once", async () => {
  const { lives, first, attempts } = openLives();
  const answer = lives.request("ask", undefined, {});
  expect(first.log).toEqual(["ask"]);
  first.answer();
  expect([await answer, lives.capabilities(), attempts]).toEqual(["first", { first: {} }, []]);
});

test("MCP-10: a request after the exit, but before its report, waits for that and goes to the next life", async () => {
  const { lives, first, attempts, revivals } = openLives();
  first.exit();
  const answer = lives.request("ask", undefined, {});
  await settled();
  expect([first.log, attempts]).toEqual([[], []]);
  first.lose();
  await settled();
  const second = fakeLife("second");
  attempts[0]?.resolve(second);
  await settled();
  second.answer();
  expect(await answer).toBe("second");
  expect(revivals).toEqual([{ reason: "it exited with code 7", attempt: 1 }]);
  expect(lives.capabilities()).toEqual({ second: {} });
});

test("MCP-10: a signal ends the waiting for that report, too", async () => {
  const { lives, first, attempts } = openLives();
  first.exit();
  const abort = new AbortController();
  const reason = new Error("enough");
  const answer = lives.request("ask", undefined, { signal: abort.signal });
  abort.abort(reason);
  await expect(answer).rejects.toBe(reason);
  first.lose();
  await settled();
  expect(attempts).toEqual([]);
});

test("MCP-10: a request that is aborted already starts no attempt", async () => {
  const { lives, first, attempts } = openLives();
  first.lose();
  const reason = new Error("enough");
  await expect(lives.request("ask", undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(attempts).toEqual([]);
});

test("MCP-10: closing aborts the attempt; a life that it gives nevertheless is closed", async () => {
  const { lives, first, attempts, revivals } = openLives();
  first.lose();
  const answer = expect(lives.request("ask", undefined, {})).rejects.toMatchObject(closed);
  await settled();
  const closing = lives.close();
  expect(attempts[0]?.signal.aborted).toBe(true);
  const second = fakeLife("second");
  attempts[0]?.resolve(second);
  await closing;
  await answer;
  expect([first.log, second.log, revivals]).toEqual([["closed"], ["closed"], []]);
  await expect(lives.request("ask", undefined, {})).rejects.toMatchObject(closed);
  await lives.close();
  expect(attempts).toHaveLength(1);
});

test("MCP-10: an attempt that fails for a fault of ours rejects with it, and the next one may follow", async () => {
  const { lives, first, attempts, pass } = openLives();
  first.lose();
  const fault = new TypeError("a fault");
  const answer = expect(lives.request("ask", undefined, {})).rejects.toBe(fault);
  await settled();
  attempts[0]?.reject(fault);
  await answer;
  pass(500);
  const again = lives.request("ask", undefined, {});
  await settled();
  const second = fakeLife("second");
  attempts[1]?.resolve(second);
  await settled();
  second.answer();
  expect(await again).toBe("second");
});

test("MCP-10: a life that is over is closed once nothing that was asked of it is open", async () => {
  const { lives, first, attempts } = openLives();
  const early = lives.request("early", undefined, {});
  first.exit();
  const late = lives.request("late", undefined, {});
  early.catch(() => {});
  first.lose();
  await settled();
  attempts[0]?.resolve(fakeLife("second"));
  await settled();
  await expect(early).rejects.toMatchObject({ code: "mcp_server_failed" });
  expect(first.log).toEqual(["early", "closed"]);
  const ended = expect(late).rejects.toMatchObject(closed);
  await lives.close();
  await ended;
});
