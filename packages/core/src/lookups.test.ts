import { expect, test } from "vitest";
import type { ToolDescriptor } from "@codemode/protocol";
import { createTestHost, tool } from "../test/fakes/test-host.js";

const words = ["walrus", "otter", "heron", "badger", "lynx"];
const large: readonly ToolDescriptor[] = Array.from({ length: 1_000 }, (_, number) =>
  tool(`tool_${number}`, () => null, { description: `${words[number % 5]} part ${number}. `.repeat(40) }),
);

test("CAT-01: the first search reads the catalog while the host goes on; later ones are answered at once", async () => {
  let turns = 0;
  const { run } = createTestHost({
    programs: {
      main: async (guest) => {
        const before = turns;
        const found = [await guest.search("heron part 7", 1), turns - before > 5];
        const after = turns;
        return [...found, await guest.search("lynx part 4", 1), turns - after <= 5];
      },
    },
    run: { tools: large },
  });
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await run.exec({ code: "main" });
  isOver = true;
  expect(result).toMatchObject({ status: "completed", value: [["tool_7"], true, ["tool_4"], true] });
});

test("CAT-01: two searches that wait for the same reading are both answered, also one that nobody awaits", async () => {
  const { run } = createTestHost({
    programs: {
      main: (guest) => {
        void guest.search("badger", 1);
        return Promise.all([guest.search("otter part 1", 1), guest.search("walrus part 5", 1)]);
      },
    },
    run: { tools: large },
  });
  const result = await run.exec({ code: "main" });
  expect(result).toMatchObject({ status: "completed", value: [["tool_1"], ["tool_5"]], telemetry: { searchCount: 3 } });
});

test("CAT-01: a cell that is cancelled while its catalog is read ends at once, and the reading harms nobody", async () => {
  const { run, faults } = createTestHost({
    programs: { main: (guest) => guest.search("otter", 1), later: (guest) => guest.search("otter part 11", 1) },
    run: { tools: large },
  });
  const abort = new AbortController();
  const exec = run.exec({ code: "main" }, { signal: abort.signal });
  abort.abort();
  expect(await exec).toMatchObject({ status: "failed", failurePhase: "host" });
  expect(await run.exec({ code: "later" })).toMatchObject({ status: "completed", value: ["tool_11"] });
  expect(faults).toEqual([]);
});
