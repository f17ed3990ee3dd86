import { expect, test } from "vitest";
import { blankFence } from "./markdown-fence.js";

test.each([
  ["```js\nreturn 1\n```", "     \nreturn 1\n   "],
  [" \n```\r\nreturn 1\r\n``` \n", " \n   \r\nreturn 1\r\n    \n"],
  ["~~~~ ts title\na\n~~~~~", "             \na\n     "],
  ["```js\na", "     \na"],
  ["````\n```\n````", "    \n```\n    "],
  ["````\na\n```", "    \na\n```"],
])("a fence becomes white space: %j", (source, blanked) => {
  expect(blankFence(source)).toBe(blanked);
});

test.each(["return 1", "``` js", "```a``` \nb", "a\n```\nb\n```", "``\na\n``", ""])("no fence: %j", (source) => {
  expect(blankFence(source)).toBe(source);
});

test("a long line of tildes is read once", () => {
  const source = "~".repeat(200_000);
  expect(blankFence(source)).toBe(source);
});
