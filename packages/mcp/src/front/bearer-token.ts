import { createHash, timingSafeEqual } from "node:crypto";
import { CodeModeError } from "@codemode/protocol";

/** Shortest token that is accepted, in characters. */
const MIN_CHARS = 16;
const MAX_CHARS = 4_096;

/** Whether the value of an `Authorization` header carries the token. Takes as long whatever the header holds. */
export type TokenCheck = (authorization: string | undefined) => boolean;

/** @throws {CodeModeError} `invalid_argument` for a token that is too weak or cannot stand in a header; never shows it. */
export function createTokenCheck(token: string): TokenCheck {
  if (token.length < MIN_CHARS || token.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(token)) {
    const problem = `must be ${MIN_CHARS} to ${MAX_CHARS} visible ASCII characters without spaces`;
    throw new CodeModeError("invalid_argument", `The token ${problem}.`, { path: "token", problem });
  }
  const expected = digest(token);
  return (authorization = "") => {
    const [, given = ""] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
    return timingSafeEqual(digest(given), expected);
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
