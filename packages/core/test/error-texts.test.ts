import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CellLanguage } from "@codemode/protocol";
import { comparable } from "./corpus/compare.js";
import { createStubTools, STUB_SERVERS } from "./corpus/stub-tools.js";
import { createRealHost, type RealHost } from "./fakes/real-host.js";

let real: RealHost;
beforeAll(async () => {
  real = await createRealHost();
  await real.host.prewarm({ typescript: true });
}, 60_000);
afterAll(() => real.host.close());

interface Told {
  readonly error: string;
  /** `line:column` in the submitted source. */
  readonly at: string | undefined;
  readonly phase: string;
}

/** How a failed program is told, after waits if it makes any. */
async function told(code: string, language: CellLanguage = "javascript"): Promise<Told> {
  await using run = real.openRun({ tools: createStubTools(), mcp: STUB_SERVERS });
  let result = await run.exec({ code, language });
  while (result.status === "waiting") result = await run.wait({ runId: result.runId });
  if (result.status !== "failed") throw new Error(`It did not fail: ${JSON.stringify(comparable(result))}`);
  const { error, location, failurePhase } = result;
  return { error, at: location && `${location.line}:${location.column}`, phase: failurePhase };
}

async function valueOf(code: string): Promise<unknown> {
  await using run = real.openRun({ tools: createStubTools(), mcp: STUB_SERVERS });
  const result = await run.exec({ code });
  return result.status === "completed" ? result.value : result;
}

describe("a missing name is answered with the one that was probably meant", () => {
  test.each([
    ["await getUser({ id: 1 })", "ReferenceError: getUser is not defined. Did you mean get_user?"],
    ["await listPages({})", "ReferenceError: listPages is not defined. Did you mean list_page?"],
    ["await mcp.notes.get({})", "ReferenceError: mcp is not defined. Did you mean MCP?"],
    [
      "await sendMail({ to: 'a' })",
      'ReferenceError: sendMail is not defined. Find a tool with await catalog.search("send mail").',
    ],
    ["const total = subtotal + 1;", "ReferenceError: subtotal is not defined"],
    [
      "const echo = await echo({});",
      "ReferenceError: echo is not initialized. It hides the global echo in its whole block: give the variable another name.",
    ],
    ["const total = total + 1;", "ReferenceError: total is not initialized"],
    ["console.logg(1); let clone = structuredCloned({});", "TypeError: console.logg is not a function"],
    ["return structuredClones({});", "ReferenceError: structuredClones is not defined. Did you mean structuredClone?"],
    [
      "await tools.echo({})",
      "ReferenceError: tools is not defined. Tools are global functions: call one by its own name, with one object.",
    ],
    ["await MCP.everything.ehco({})", 'TypeError: MCP.everything has no "ehco". Did you mean MCP.everything.echo?'],
    [
      "await MCP.everything.search({})",
      'TypeError: MCP.everything has no "search". Object.keys(MCP.everything) names its functions.',
    ],
    ["await MCP.chrome.listPages({})", 'TypeError: MCP has no "chrome". Did you mean MCP.chromeDevtools?'],
    [
      "await MCP.github.search({})",
      'TypeError: MCP has no "github". There is MCP.everything, MCP.chromeDevtools, MCP.shots, MCP.notes.',
    ],
    ["await catalog.find('mail')", 'TypeError: catalog has no "find". It has search(query, { limit }) and all().'],
    ["await API.reads()", 'TypeError: API has no "reads". Did you mean API.read?'],
  ])("%s", async (code, error) => {
    expect(await told(code)).toMatchObject({ error, phase: "guest" });
  });

  test("also where the cell catches it", async () => {
    const code = `
      const messages = [];
      for (const call of [() => getUser({}), () => MCP.everything.ehco({}), () => MCP.everythin.echo({}), () => fetch("")]) {
        try { await call(); } catch (error) { messages.push([error.name, error.message]); }
      }
      return messages;`;
    expect(await valueOf(code)).toEqual([
      ["ReferenceError", "getUser is not defined. Did you mean get_user?"],
      ["TypeError", 'MCP.everything has no "ehco". Did you mean MCP.everything.echo?'],
      ["TypeError", 'MCP has no "everythin". Did you mean MCP.everything?'],
      ["ReferenceError", "fetch is not defined. A cell has no network: call a tool instead."],
    ]);
  });

  test("asking whether a name is there, and what any object is asked, throws nothing", async () => {
    const code = `
      await MCP; await MCP.everything;
      return ["github" in MCP, "nope" in MCP.everything, Object.keys(MCP.notes), JSON.stringify(MCP) !== undefined,
        typeof MCP.toJSON, typeof MCP.notes.then, typeof MCP.notes.constructor, typeof catalog.valueOf, MCP.__proto__];`;
    const nothing = ["undefined", "undefined", "undefined", "undefined", null];
    expect(await valueOf(code)).toEqual([false, false, ["get"], true, ...nothing]);
  });
});

describe("GUEST-05: a global that a cell has not is undefined to typeof, and its use says what to use instead", () => {
  test.each([
    ["fetch('https://example.com')", "fetch", "A cell has no network: call a tool instead."],
    ["process.env.HOME", "process", "A cell has no process and no environment: call a tool instead."],
    ["const r = require; r('fs')", "require", "A cell loads no modules: call the tools, which are global functions."],
    [
      "Buffer.from('a')",
      "Buffer",
      "Use TextEncoder and TextDecoder, btoa and atob, or toBase64, toHex, fromBase64 and fromHex of Uint8Array.",
    ],
    ["fs.readFileSync('a')", "fs", "A cell has no files and runs no commands: call a tool instead."],
    ["window.alert(1)", "window", "The global object is globalThis; there is no page and no Node."],
  ])("%s", async (code, name, instead) => {
    expect(await told(code)).toMatchObject({ error: `ReferenceError: ${name} is not defined. ${instead}` });
    expect(await valueOf(`return typeof ${name};`)).toBe("undefined");
  });
});

describe("what was called, what was not awaited and what was passed wrongly is named", () => {
  test.each([
    ["const o = { list: 1 };\nawait o.list({ a: o });", "TypeError: o.list is not a function", "2:9"],
    ["const o = {};\nnew o.Thing(1);", "TypeError: o.Thing is not a function", "2:7"],
    ["let f = 1;\nreturn [2, f()];", "TypeError: f is not a function", "2:12"],
    [
      "const o = { a: 1 };\nawait Promise.all(o.a.map(async (i) => echo({ i })));",
      "TypeError: o.a.map is not a function",
      "2:23",
    ],
    ["const o = { a: 1 };\nfor (const x of o.a) text(x);", "TypeError: o.a is not iterable", "2:17"],
    [
      "const page = list_page({});\nreturn page.items.map((item) => item);",
      "TypeError: cannot read property 'map' of undefined. page is a promise: await list_page(…) first.",
      "2:8",
    ],
    [
      "const rows = list_page({});\nreturn rows.map((row) => row);",
      "TypeError: rows.map is not a function. rows is a promise: await list_page(…) first.",
      "2:13",
    ],
    [
      "const { items } = list_page({});\nfor (const item of items) text(item);",
      "TypeError: items is not iterable. items is a promise: await list_page(…) first.",
      "2:20",
    ],
    [
      "return [...catalog.search('mail')];",
      "TypeError: catalog.search('mail') is not iterable. This is a promise: await catalog.search(…) first.",
      "1:12",
    ],
    [
      "async function load() { return await list_page({}); }\nconst page = load();\nreturn page.items.length;",
      "TypeError: cannot read property 'length' of undefined. page is a promise: await load(…) first.",
      "3:8",
    ],
    [
      "const user = get_user({ id: 1 });\nreturn await echo({ user });",
      "TypeError: input.user is a promise: await it first",
      "2:14",
    ],
    [
      "async (tools) => await tools.echo({})",
      "TypeError: cannot read property 'echo' of undefined. The program is called without arguments: tools are global functions.",
      "1:24",
    ],
    [
      "return await echo('a', 2);",
      "TypeError: echo takes one object, but got 2 arguments: pass one object, such as echo({ key: value }).",
      "1:14",
    ],
    [
      "return await MCP.notes.get('a.md');",
      "TypeError: MCP.notes.get takes one object, but got a string: pass one object, such as MCP.notes.get({ key: value }).",
      "1:24",
    ],
  ])("%j", async (code, error, at) => {
    expect(await told(code)).toEqual({ error, at, phase: "guest" });
  });
});

describe("EXEC-10, ERR-01: an uncaught error is Name: message, with causes, members and its place", () => {
  test.each<[string, string, string | undefined]>([
    ['throw new RangeError("no");', "RangeError: no", "1:11"],
    ["throw new TypeError();", "TypeError", "1:11"],
    [
      'const e = new Error("root");\nthrow new Error("wrapped", { cause: e });',
      "Error: wrapped (cause: Error: root)",
      "2:11",
    ],
    ['throw new Error("a", { cause: { status: 404 } });', 'Error: a (cause: {"status":404})', "1:11"],
    ['const e = new Error("own");\ne.cause = e;\nthrow e;', "Error: own", "1:15"],
    [
      'throw new AggregateError([new Error("a"), "b", new TypeError("c")], "many");',
      "AggregateError: many [Error: a; b; TypeError: c]",
      "1:11",
    ],
    [
      "await Promise.any([1, 2, 3, 4, 5, 6, 7].map((n) => fail({ message: `m${n}` })));",
      "AggregateError [Error: m1; Error: m2; Error: m3; Error: m4; Error: m5; and 2 more]",
      "1:41",
    ],
    [
      'class NotFound extends Error {\n  constructor(id) { super("no " + id); this.name = "NotFound"; }\n}\nthrow new NotFound(7);',
      "NotFound: no 7",
      "2:21",
    ],
    ['throw "text";', "Uncaught text", undefined],
    ["throw { code: 404 };", 'Uncaught {"code":404}', undefined],
    ['throw { message: "m" };', 'Uncaught {"message":"m"}', undefined],
    ["throw undefined;", "Uncaught undefined", undefined],
    ["throw () => 1;", "Uncaught [Function: (anonymous)]", undefined],
    [
      "const a = 1;\nconst b = null;\n\n  const { x } = b;",
      "TypeError: Cannot convert undefined or null to object",
      "4:9",
    ],
    ["const a = 1;\n  const [x] = await echo({});", "TypeError: value is not iterable", "2:9"],
    ["\n  null.foo;", "TypeError: cannot read property 'foo' of null", "2:3"],
    [
      "text(JSON.parse('{'));",
      "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
      "1:11",
    ],
  ])("%j", async (code, error, at) => {
    expect(await told(code)).toEqual({ error, at, phase: "guest" });
  });

  test("a failed call is where the tool is named, not where its arguments end", async () => {
    const code =
      'const message = "no";\n\nconst r = await fail({\n  message: String(message),\n  more: [message],\n});';
    expect(await told(code)).toEqual({ error: "Error: no", at: "3:17", phase: "bridge" });
  });
});

const RESUMED = "await yield_control();";

describe("EXEC-10: places stay exact in every form and language, also after a resume", () => {
  test.each<[string, string, CellLanguage, string]>([
    ["the first line", "  undefinedName;", "javascript", "1:3"],
    ["characters of 2 and 4 bytes", "text('é😀'); undefinedName;", "javascript", "1:14"],
    ["CRLF", "1;\r\n2;\r\n  undefinedName;", "javascript", "3:3"],
    ["a byte order mark", "\ufeffundefinedName", "javascript", "1:2"],
    ["a fence", "```js\n1;\n  undefinedName;\n```", "javascript", "3:3"],
    ["a called function", "async () => {\n  undefinedName;\n}", "javascript", "2:3"],
    ["an exported function", "export default async function main() { undefinedName; }", "javascript", "1:40"],
    ["a main that nobody calls", "const a = 1;\nasync function main() {\n  undefinedName;\n}", "javascript", "3:3"],
    ["erased lines", "interface A {\n  a: string;\n}\ntype B = A;\n\n  undefinedName;", "typescript", "6:3"],
    ["erased types", "const s: string = 'é😀'; undefinedName;", "typescript", "1:26"],
    ["a compiled enum", "enum C { A, B }\r\nif (C.A === 0) {\r\n  undefinedName;\r\n}", "typescript", "3:3"],
    ["a fence around types", "```ts\nlet n: number;\nundefinedName\n```", "typescript", "3:1"],
    ["after a resume", `${RESUMED}\n  undefinedName;`, "javascript", "2:3"],
    ["after a resume, multi-byte", `text('é😀'); ${RESUMED} text('😀'); undefinedName;`, "javascript", "1:49"],
    ["after a resume, in a function", `async () => {\n  ${RESUMED}\r\n  undefinedName;\n}`, "javascript", "3:3"],
    [
      "after a resume, types",
      `interface A {\n  a: string\n}\n${RESUMED}\n\nlet n: number = 1; undefinedName;`,
      "typescript",
      "6:20",
    ],
  ])("%s", async (_, code, language, at) => {
    const error = "ReferenceError: undefinedName is not defined";
    expect(await told(code, language)).toEqual({ error, at, phase: "guest" });
  });
});

test("stacks show the cell's own lines and nothing of the prelude", async () => {
  const code = `
    const stacks = [];
    const inner = () => { throw new Error("x"); };
    for (const work of [() => inner(), () => fail({ message: "x" }), () => setTimeout("x"), () => JSON.parse("{")]) {
      try { await work(); } catch (error) { stacks.push(error.stack.trim().split("\\n").map((line) => line.trim())); }
    }
    return stacks;`;
  const cell = (line: number, column: number): string => `at <anonymous> (codemode:cell.js:${line}:${column})`;
  expect(await valueOf(code)).toEqual([
    ["at inner (codemode:cell.js:3:37)", cell(4, 31), cell(5, 19)],
    [cell(4, 46), cell(5, 19)],
    [cell(4, 76), cell(5, 19)],
    ["at <anonymous> (<input>:1:2)", "at parse (native)", cell(4, 104), cell(5, 19)],
  ]);
});

test.each([0, 1, 3, Number.NaN, "x"])(
  "EXEC-10: a failed call keeps its place whatever the cell gives Error.stackTraceLimit: %s",
  async (limit) => {
    const code = `Error.stackTraceLimit = ${JSON.stringify(limit)};\nawait fail({ message: "no" });`;
    expect(await told(code)).toEqual({ error: "Error: no", at: "2:7", phase: "bridge" });
    expect(await valueOf("Error.stackTraceLimit = 1; return Error.stackTraceLimit;")).toBe(20);
  },
);

test("a stack that is cut at its limit shows no native frame of the prelude's", async () => {
  const code = `
    function deeper(left) { if (left === 0) null.x; deeper(left - 1); }
    const ends = [];
    for (let depth = 10; depth < 25; depth++) try { deeper(depth); } catch (error) { ends.push(error.stack.includes("apply (native)")); }
    return ends.includes(true);`;
  expect(await valueOf(code)).toBe(false);
});
