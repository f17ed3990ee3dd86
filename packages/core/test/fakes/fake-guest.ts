import type {
  BridgeReply,
  BridgeRequest,
  CellStep,
  Delivery,
  EncodedJson,
  GuestSurface,
  OutputDelta,
} from "@codemode/protocol";

/** What a fake program may do: the guest's globals, by binding name. */
export interface FakeGuest {
  call(name: string, input?: unknown): Promise<unknown>;
  request(request: Record<string, unknown>): Promise<unknown>;
  search(query: string, limit?: number): Promise<string[]>;
  describe(name: string): Promise<unknown>;
  setTimeout(callback: () => void, delayMs: number): number;
  /** Its first firing only. */
  setInterval(callback: () => void, delayMs: number): number;
  clearTimeout(id: number): void;
  yieldControl(): Promise<unknown>;
  text(text: string): void;
  /** Computes for a while. */
  burn(ms: number): void;
}

export type FakeProgram = (guest: FakeGuest) => unknown;

interface Waiter {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A guest without an engine: a program on the host's own promises, stopped at boundaries like the real one. */
export class FakeVm {
  #nextId = 1;
  #requests: BridgeRequest[] = [];
  #cancelled: number[] = [];
  #items: EncodedJson[] = [];
  #burnedMs = 0;
  #state: { status: "pending" } | { status: "returned"; value: unknown } | { status: "threw"; error: unknown } = {
    status: "pending",
  };
  readonly #waiters = new Map<number, Waiter>();

  constructor(
    readonly surface: GuestSurface,
    readonly advance: (ms: number) => void,
  ) {}

  start(program: FakeProgram): void {
    const run = async (): Promise<unknown> => program(this.#guest());
    run().then(
      (value) => (this.#state = { status: "returned", value }),
      (error: unknown) => (this.#state = { status: "threw", error }),
    );
  }

  deliver({ replies, cancelled = [] }: Delivery): void {
    for (const id of cancelled) this.#waiters.delete(id);
    for (const reply of replies) this.#settle(reply);
  }

  async step(remainingMs: number): Promise<CellStep> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    const shared = { output: this.#takeOutput(), guestMs: this.#burnedMs };
    this.#burnedMs = 0;
    if (shared.guestMs > remainingMs) return failed("Error: the deadline passed", { code: "timeout", ...shared });
    if (this.#waiters.size > 0) {
      const requests = this.#requests;
      const cancelled = this.#cancelled;
      this.#requests = [];
      this.#cancelled = [];
      return { type: "boundary", requests, cancelled, isSettled: this.#state.status !== "pending", ...shared };
    }
    if (this.#state.status === "returned") return { type: "completed", value: encode(this.#state.value), ...shared };
    if (this.#state.status === "threw") return failed(String(this.#state.error), shared);
    return failed("Error: code mode promise is pending without host work", shared);
  }

  #guest(): FakeGuest {
    return {
      call: (name, input = {}) =>
        this.#send({ method: "call", binding: this.#bindingOf(name), input: JSON.stringify(input) }),
      request: (request) => this.#send(request),
      search: async (query, limit) => {
        const found = (await this.#send({ method: "search", query, ...(limit === undefined ? {} : { limit }) })) as {
          bindings: number[];
        };
        return found.bindings.map((binding) => this.surface.tools[binding]?.callableName ?? "");
      },
      describe: (name) => this.#send({ method: "describe", binding: this.#bindingOf(name) }),
      setTimeout: (callback, delayMs) => {
        const id = this.#nextId;
        void this.#send({ method: "timer", delayMs }).then(callback);
        return id;
      },
      setInterval: (callback, delayMs) => {
        const id = this.#nextId;
        void this.#send({ method: "timer", delayMs, isInterval: true }).then(callback);
        return id;
      },
      clearTimeout: (id) => {
        if (this.#waiters.delete(id)) this.#cancelled.push(id);
      },
      yieldControl: () => this.#send({ method: "yield" }),
      text: (text) => this.#items.push(encode({ type: "text", text })),
      burn: (ms) => {
        this.#burnedMs += ms;
        this.advance(ms);
      },
    };
  }

  #bindingOf(name: string): number {
    const tool = this.surface.tools.find((candidate) => candidate.callableName === name);
    const functions = this.surface.mcp.flatMap((namespace) =>
      namespace.functions.map((found) => ({ name: `MCP.${namespace.name}.${found.name}`, binding: found.binding })),
    );
    const binding = tool?.binding ?? functions.find((found) => found.name === name)?.binding;
    if (binding === undefined) throw new ReferenceError(`${name} is not defined`);
    return binding;
  }

  #send(fields: Record<string, unknown>): Promise<unknown> {
    const id = this.#nextId++;
    this.#requests.push({ id, ...fields } as BridgeRequest);
    return new Promise((resolve, reject) => this.#waiters.set(id, { resolve, reject }));
  }

  #settle(reply: BridgeReply): void {
    const waiter = this.#waiters.get(reply.id);
    if (waiter === undefined) throw new Error(`reply to ${reply.id}, which nobody waits for`);
    this.#waiters.delete(reply.id);
    if (reply.ok) return waiter.resolve(JSON.parse(reply.value));
    const { name, ...rest } = reply.error;
    waiter.reject(Object.defineProperty(Object.assign(new Error(rest.message), rest), "name", { value: name }));
  }

  #takeOutput(): OutputDelta {
    return { items: this.#items.splice(0), omittedItems: 0, omittedBytes: 0 };
  }
}

export function failed(
  message: string,
  {
    code,
    output,
    guestMs,
  }: {
    code?: "timeout" | "aborted" | "runtime_unavailable" | "snapshot_limit_exceeded";
    output: OutputDelta;
    guestMs: number;
  },
): CellStep {
  const phase = code === undefined || code === "timeout" ? "guest" : "host";
  return { type: "failed", failure: { message, ...(code === undefined ? {} : { code }), phase }, output, guestMs };
}

function encode(value: unknown): EncodedJson {
  const text = JSON.stringify(value ?? null);
  return { text, bytes: Buffer.byteLength(text), isComplete: true };
}
