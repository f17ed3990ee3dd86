import { check, checkCalls, completed, ended, failed, numbered } from "./check.js";
import type { CellKind } from "./kind.js";

const sequential: CellKind = {
  name: "one call after the other",
  weight: 130,
  endings: ["completed"],
  async play(stage) {
    const calls = stage.random.whole(1, 8);
    const code = `let sum = 0; for (let n = 1; n <= ${calls}; n++) sum += await note({ cell, n }); return sum;`;
    check("value", completed(await stage.exec(code)).value, (calls * (calls + 1)) / 2);
    check("calls in order", stage.calls.list(), numbered("note", calls));
    return "completed";
  },
};

const parallel: CellKind = {
  name: "calls at once",
  weight: 90,
  endings: ["completed"],
  async play(stage) {
    const calls = stage.random.whole(2, 16);
    const code = `
      const all = Array.from({ length: ${calls} }, (_, at) => slow({ cell, n: at + 1, ms: (at * 7) % 5 }));
      return (await Promise.all(all)).length;`;
    check("value", completed(await stage.exec(code)).value, calls);
    checkCalls(stage, ...numbered("slow", calls));
    return "completed";
  },
};

const tooMany: CellKind = {
  name: "more calls at once than allowed",
  weight: 10,
  endings: ["failed invalid_input"],
  async play(stage) {
    const code = "return Promise.all(Array.from({ length: 40 }, (_, at) => note({ cell, n: at + 1 })));";
    const result = await stage.exec(code);
    checkCalls(stage);
    return ended(result, "failed invalid_input");
  },
};

const queued: CellKind = {
  name: "calls that queue",
  weight: 10,
  endings: ["completed"],
  async play(stage) {
    const { run } = stage.openRun({ limits: { overflow: "queue", maxPendingToolCalls: 4 } });
    const code = "return (await Promise.all(Array.from({ length: 40 }, (_, at) => note({ cell, n: at + 1 })))).length;";
    check("value", completed(await stage.exec(code, { run })).value, 40);
    checkCalls(stage, ...numbered("note", 40));
    return "completed";
  },
};

const alone: CellKind = {
  name: "calls of a sequential tool",
  weight: 20,
  endings: ["completed"],
  async play(stage) {
    const code = `
      const all = [1, 2, 3].map((n) => alone({ cell, n })).concat([note({ cell, n: 1 }), slow({ cell, n: 1, ms: 2 })]);
      return (await Promise.all(all)).length;`;
    check("value", completed(await stage.exec(code)).value, 5);
    checkCalls(stage, "alone 1", "alone 2", "alone 3", "note 1", "slow 1");
    return "completed";
  },
};

const caught: CellKind = {
  name: "a tool's error, caught",
  weight: 25,
  endings: ["completed"],
  async play(stage) {
    const code = "try { await broken({ cell, n: 1 }); } catch (error) { return [error.name, error.message]; }";
    check("value", completed(await stage.exec(code)).value, ["RangeError", "broken 1"]);
    checkCalls(stage, "broken 1");
    return "completed";
  },
};

const uncaught: CellKind = {
  name: "a tool's error",
  weight: 20,
  endings: ["failed in bridge"],
  async play(stage) {
    const result = failed(
      await stage.exec("await note({ cell, n: 1 }); await broken({ cell, n: 2 }); await note({ cell, n: 3 });"),
      "RangeError: broken 2",
    );
    check("ledger", result.calls, [
      { name: "note", status: "completed" },
      { name: "broken", status: "failed" },
    ]);
    checkCalls(stage, "note 1", "broken 2");
    return ended(result, "failed in bridge");
  },
};

const largeResult: CellKind = {
  name: "a tool's large result",
  weight: 15,
  endings: ["completed"],
  async play(stage) {
    const bytes = stage.random.whole(100_000, 1_500_000);
    const code = `return (await large({ cell, n: 1, bytes: ${bytes} })).truncated === true;`;
    check("truncated", completed(await stage.exec(code)).value, true);
    checkCalls(stage, "large 1");
    return "completed";
  },
};

const search: CellKind = {
  name: "search and describe",
  weight: 15,
  endings: ["completed"],
  async play(stage) {
    const code = `
      const [found] = await catalog.search("note");
      const about = await found.describe();
      return [found.callableName, about.description, await found({ cell, n: 1 })];`;
    check("value", completed(await stage.exec(code)).value, ["note", "The tool note of the soak.", 1]);
    checkCalls(stage, "note 1");
    return "completed";
  },
};

const mcp: CellKind = {
  name: "a call of an MCP tool",
  weight: 10,
  endings: ["completed"],
  async play(stage) {
    const { run } = stage.openRun({ hasServer: true });
    const code = "return (await MCP.files.count({ cell, n: 7 })).structuredContent.n;";
    check("value", completed(await stage.exec(code, { run })).value, 7);
    checkCalls(stage, "MCP.files.count 7");
    return "completed";
  },
};

export const CALL_KINDS: readonly CellKind[] = [
  sequential,
  parallel,
  tooMany,
  queued,
  alone,
  caught,
  uncaught,
  largeResult,
  search,
  mcp,
];
