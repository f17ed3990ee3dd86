import { expect, test } from "vitest";
import { createLibraryCells } from "./library-cells.js";

const { failureOf, valueOf } = createLibraryCells();

test.each([
  ["fetch('http://a')", "fetch is not defined. There is no network in a cell: call a tool that reaches it."],
  [
    "process.env.HOME",
    "process is not defined. A cell has no process, environment or command line: return the result, and use tools for the rest.",
  ],
  [
    "module.exports = 1",
    "module is not defined. There are no modules in a cell: tools are global functions, and what else there is needs no import.",
  ],
  [
    "require",
    "require is not defined. There are no modules in a cell: tools are global functions, and what else there is needs no import.",
  ],
  [
    "Buffer.from('a')",
    "Buffer is not defined. Use TextEncoder and TextDecoder, btoa and atob, or Uint8Array with toBase64 and toHex.",
  ],
  ["localStorage.x", "localStorage is not defined. Nothing is kept between cells: return what a later cell needs."],
  ["new Worker('x')", "Worker is not defined. A cell runs JavaScript on one thread."],
  ["window", "window is not defined. Use globalThis."],
  ["somethingElse", "somethingElse is not defined"],
])("GUEST-05: %s fails with what to use instead, caught and uncaught", async (expression, message) => {
  expect(await failureOf(`${expression};`)).toBe(`ReferenceError: ${message}`);
  const caught = `try { ${expression}; } catch (error) { return [error.message, error instanceof ReferenceError, Object.keys(error)]; }`;
  expect(await valueOf(caught)).toEqual([message, true, []]);
});

test("GUEST-05: typeof says undefined, and a cell may make such a global itself", async () => {
  const names = ["fetch", "process", "require", "Buffer", "window", "localStorage", "Worker", "WebAssembly"];
  expect(await valueOf(`return [${names.map((name) => `typeof ${name}`).join()}];`)).toEqual(
    names.map(() => "undefined"),
  );
  expect(await valueOf("globalThis.fetch = () => 7; return [fetch(), 'fetch' in globalThis];")).toEqual([7, true]);
});

test("GUEST-05: the sentence stands also after awaits, in callbacks and after a park", async () => {
  const code = `
    await echo({});
    const messages = [];
    for (const work of [async () => fetch, () => new Promise(() => fetch), async () => [1].map(() => fetch)]) {
      await work().catch((error) => messages.push(error.message));
    }
    return new Set(messages);`;
  expect(await valueOf(code)).toEqual([
    "fetch is not defined. There is no network in a cell: call a tool that reaches it.",
  ]);
});

test("EXEC-10: stacks keep the engine's form, without frames that are not the cell's", async () => {
  const code = `
    function inner() { return new URL("nope"); }
    try { [1].map(() => inner()); } catch (error) { return error.stack.split("\\n").map((line) => line.trim()); }`;
  expect(await valueOf(code)).toEqual([
    "at inner (codemode:cell.js:2:35)",
    "at <anonymous> (codemode:cell.js:3:25)",
    "at map (native)",
    "at <anonymous> (codemode:cell.js:3:15)",
    "at apply (native)",
    "",
  ]);
});

test("ERR-04: what a cell does to errors changes neither message nor position of a missing name", async () => {
  const code = `
    ReferenceError.prototype.constructor = null; Object.prototype.value = "planted"; RegExp.prototype.exec = null;
    Error.prepareStackTrace = () => "mine"; Error.stackTraceLimit = 3;
    try { fetch(); } catch (error) { return [error.message, "" + error.stack]; }`;
  const [message, stack] = (await valueOf(code)) as [string, string];
  expect(message).toBe("fetch is not defined. There is no network in a cell: call a tool that reaches it.");
  expect(stack).toMatch(/^ {4}at <anonymous> \(codemode:cell\.js:4:\d+\)\n/);
});
