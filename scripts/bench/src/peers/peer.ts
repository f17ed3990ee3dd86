/** Something that runs cells. */
export interface Peer {
  readonly name: string;
  /** Starts it with one tool of the host, `echo({ value })`, which gives `value` back. @throws where it does not run here. */
  open(): Promise<OpenPeer>;
}

/** Owned: close it. */
export interface OpenPeer {
  /** Runs a cell, the body of an async function that may call `echo({ value })`, and gives its value. */
  run(code: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The host's one tool. */
export const echo = (input: unknown): unknown => (input as { readonly value: unknown }).value;
