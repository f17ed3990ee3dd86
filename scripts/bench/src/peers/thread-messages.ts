/** What a host tells a thread that runs cells. */
export type ToThread =
  | { readonly type: "cell"; readonly code: string }
  | { readonly type: "reply"; readonly id: number; readonly value: unknown };

/** What such a thread tells its host. */
export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly id: number; readonly input: unknown }
  | { readonly type: "done"; readonly value: unknown }
  | { readonly type: "failed"; readonly message: string };
