/**
 * The abort of one nested call. Most tools never look at their signal, and making one costs more than the rest of a call,
 * so it is made when somebody asks for it.
 */
export class CallAbort {
  readonly #actions = new Set<(reason: Error) => void>();
  #controller: AbortController | undefined;
  #abortion: { readonly reason: Error } | undefined;

  /** What the tool gets. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortion !== undefined) this.#controller.abort(this.#abortion.reason);
    }
    return this.#controller.signal;
  }

  /** The first abort counts. */
  abort(reason: Error): void {
    if (this.#abortion !== undefined) return;
    this.#abortion = { reason };
    for (const action of this.#actions) action(reason);
    this.#actions.clear();
    this.#controller?.abort(reason);
  }

  /** @throws the reason, once there was an abort. */
  throwIfAborted(): void {
    if (this.#abortion !== undefined) throw this.#abortion.reason;
  }

  /** Runs `action`, which does not throw, once at an abort to come. The returned function withdraws it. */
  onAbort(action: (reason: Error) => void): () => void {
    this.#actions.add(action);
    return () => void this.#actions.delete(action);
  }
}
