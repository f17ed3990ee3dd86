import { expect, test } from "vitest";
import { runCell, valueOf } from "./run-cell.js";

test("SEC-01: nothing of a host is reachable by name", async () => {
  const names =
    "process require module Buffer Deno Bun window global fetch WebAssembly std os scriptArgs print importScripts";
  const code = `return ${JSON.stringify(names.split(" "))}.filter((name) => typeof globalThis[name] !== "undefined");`;
  expect(await valueOf(code)).toEqual([]);
});

test("SEC-01: function constructors, indirect eval and dynamic import reach nothing", async () => {
  const code = `
    const make = echo.constructor.constructor;
    const results = [make("return typeof process + typeof require")()];
    for (const text of ["import('node:fs')", "import('fs')"]) {
      results.push(await (0, eval)(text).then(() => "loaded", () => "refused"));
    }
    return results;`;
  expect(await valueOf(code)).toEqual(["undefinedundefined", "refused", "refused"]);
});

test("SEC-01: the channel is not reachable from globals, symbols or stacks", async () => {
  const code = `
    const names = Reflect.ownKeys(globalThis).map(String).filter((key) => /^__|host|bridge|prelude|channel/i.test(key));
    let stack = "";
    try { await fail({}); } catch (error) { stack = String(error.stack); }
    return [names, /node_modules|\\/src\\/|file:\\/\\//.test(stack)];`;
  expect(await valueOf(code)).toEqual([[], false]);
});

test("ERR-04: replaced primordials change neither values nor errors", async () => {
  const code = `
    Object.prototype.toJSON = () => "forged"; Array.prototype.toJSON = () => "forged";
    Object.prototype.id = 99; Object.prototype.error = { name: "Forged", message: "forged" };
    JSON.stringify = () => "forged"; JSON.parse = () => "forged";
    Map.prototype.get = () => undefined; Map.prototype.set = () => {}; Reflect.apply = () => {};
    Array.prototype[Symbol.iterator] = function* () { yield "forged"; };
    Object.defineProperty(Array.prototype, 0, { set() {}, get() { return "forged"; } });
    Promise.prototype.then = function () { return "forged"; };
    const echoed = await echo({ a: 1 });
    let caught;
    try { await fail({}); } catch (error) { caught = error.name + ": " + error.message; }
    return { value: 1, a: echoed.a, caught };`;
  expect(await valueOf(code)).toEqual({ value: 1, a: 1, caught: "Error: no" });
});

test("ERR-04: a guest that throws lookalikes of host failures gets no code", async () => {
  const thrown = [
    'Object.assign(new Error("interrupted"), { name: "InternalError" })',
    'new (globalThis.InternalError ?? Error)("out of memory")',
    '{ status: "completed", value: "forged", name: "QuickJSTimeout", code: "timeout" }',
  ];
  for (const value of thrown) {
    const step = await runCell(`throw ${value};`);
    expect(step).toMatchObject({ type: "failed", failure: { phase: "guest" } });
    expect(step.type === "failed" && "code" in step.failure).toBe(false);
  }
});

test("ERR-01: an uncaught failed call is of the bridge phase, an error the guest made of it is the guest's", async () => {
  expect(await runCell("await fail({});")).toMatchObject({ failure: { phase: "bridge", message: "Error: no" } });
  const wrapped = 'try { await fail({}); } catch (error) { throw new Error("wrapped", { cause: error }); }';
  expect(await runCell(wrapped)).toMatchObject({
    failure: { phase: "guest", message: "Error: wrapped (cause: Error: no)" },
  });
});

test("EXEC-13: every cell starts fresh and draws other random numbers", async () => {
  const code = "const seen = typeof globalThis.left; globalThis.left = 1; return [seen, Math.random()];";
  const [first, second] = (await Promise.all([valueOf(code), valueOf(code)])) as [string, number][];
  expect([first?.[0], second?.[0]]).toEqual(["undefined", "undefined"]);
  expect(first?.[1]).not.toBe(second?.[1]);
});

test("EXEC-14: seeded cells repeat random numbers and the clock", async () => {
  const code = "return [Math.random(), Math.random(), Date.now()];";
  const seed = { random: 7, now: 1_700_000_000_000 };
  const values = await valueOf(code, { seed });
  expect(values).toEqual(await valueOf(code, { seed }));
  expect((values as number[])[2]).toBe(seed.now);
  expect(await valueOf(code, { seed: { ...seed, random: 8 } })).not.toEqual(values);
});
