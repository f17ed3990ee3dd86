import { SourceError } from "@codemode/transform";
import { expect, test } from "vitest";
import { compile, type CompileTask } from "./compile.js";

const task: CompileTask = { type: "compile", language: "typescript", source: "let a: number", maxSourceBytes: 100 };

test("a prepared source is the answer", async () => {
  const outcome = await compile(task, (source, options) =>
    Promise.resolve({
      language: options.language,
      submitted: source,
      code: `${options.maxSourceBytes}`,
      insertions: [],
    }),
  );
  const prepared = { language: "typescript", submitted: "let a: number", code: "100", insertions: [] };
  expect(outcome).toEqual({ type: "prepared", prepared });
});

test("TS-02: a refusal is an answer, with its place", async () => {
  const refusal = new SourceError("no", { line: 1, column: 2 });
  expect(await compile(task, () => Promise.reject(refusal))).toEqual({
    type: "refused",
    message: "no",
    code: "invalid_input",
    location: { line: 1, column: 2 },
  });
});

test("a fault of the compiler is thrown", async () => {
  await expect(compile(task, () => Promise.reject(new RangeError("stack")))).rejects.toThrow("stack");
});
