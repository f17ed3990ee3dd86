import { expect, test } from "vitest";
import { createTokenCheck } from "./bearer-token.js";

const token = "sixteen-chars-ok";

test("SEC-04: only the whole token passes, with any spelling of the scheme", () => {
  const isAuthorized = createTokenCheck(token);
  expect([`Bearer ${token}`, `bearer   ${token}`].map(isAuthorized)).toEqual([true, true]);
  const wrong = [
    undefined,
    "",
    token,
    `Basic ${token}`,
    "Bearer ",
    `Bearer ${token} `,
    `Bearer ${token}x`,
    `Bearer x${token}`,
  ];
  expect(wrong.map(isAuthorized)).toEqual(wrong.map(() => false));
});

test.each(["", "too-short", "with spaces in it 123", "not-ascii-ünicode-1", "x".repeat(4_097)])(
  "SEC-04: an unfit token is refused without being shown",
  (unfit) => {
    expect(() => createTokenCheck(unfit)).toThrow(
      "The token must be 16 to 4096 visible ASCII characters without spaces.",
    );
  },
);
