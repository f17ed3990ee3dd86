/** A request was turned away because the server does not know its session any more. The server did nothing with it. */
export class SessionForgotten extends Error {
  override readonly name = "SessionForgotten";

  constructor(cause: unknown) {
    super(SESSION_FORGOTTEN, { cause });
  }
}

/** As a clause. */
export const SESSION_FORGOTTEN = "it has forgotten the session";
