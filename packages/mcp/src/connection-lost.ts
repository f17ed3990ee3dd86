/** What answers a request whose stream is over without an answer. The server may go on with it. */
export const CONNECTION_LOST = {
  /** Of JSON-RPC: the server's side failed. */
  code: -32_000,
  message: "the connection broke before the answer came",
} as const;
