import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeIo } from "../test/fake-program.js";
import { makePipe } from "../test/make-pipe.js";
import { readRunArguments, RUN_OPTIONS } from "./run-arguments.js";
import { parseArguments } from "./parse-arguments.js";
import { readSource } from "./read-source.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-source-"));
});
afterAll(() => rm(folder, { recursive: true }));

const args = (...words: string[]) => readRunArguments(parseArguments(words, RUN_OPTIONS, "codemode run"));

test("a source comes from its file, or from standard input", async () => {
  const file = join(folder, "cell.js");
  await writeFile(file, "return 1");
  expect(await readSource(args(file), fakeIo())).toBe("return 1");
  expect(await readSource(args(), fakeIo({ stdin: "return 2" }))).toBe("return 2");
  expect(await readSource(args("-"), fakeIo({ stdin: "return 3", isTerminal: true }))).toBe("return 3");
});

test("no source is one line that says what to do", async () => {
  const missing = join(folder, "absent.js");
  const empty = join(folder, "empty.js");
  await writeFile(empty, " \n");
  const refused = (message: string) => ({ code: "invalid_argument", message });
  await expect(readSource(args(missing), fakeIo())).rejects.toMatchObject(
    refused(`${missing} was not found; check the path.`),
  );
  await expect(readSource(args(folder), fakeIo())).rejects.toMatchObject(
    refused(`${folder} is a folder; name a file in it.`),
  );
  await expect(readSource(args(empty), fakeIo())).rejects.toMatchObject(
    refused(`${empty} is empty; write the program there.`),
  );
  await expect(readSource(args(), fakeIo())).rejects.toMatchObject(
    refused("standard input is empty; write the program there."),
  );
  await expect(readSource(args(), fakeIo({ isTerminal: true }))).rejects.toMatchObject(
    refused("there is no source; name a file, or pipe the program in."),
  );
});

test("OWN-06: an interruption gives up reading standard input and files, before and during it", async () => {
  const fifo = join(folder, "fifo");
  makePipe(fifo);
  for (const words of [["-"], [fifo]]) {
    const io = { ...fakeIo(), stdin: new PassThrough() };
    const abort = new AbortController();
    const reading = readSource(args(...words), { ...io, interruption: abort.signal });
    setTimeout(() => abort.abort(new Error("stop")), 50);
    await expect(reading).rejects.toThrow();
    await expect(readSource(args(...words), { ...io, interruption: abort.signal })).rejects.toThrow();
  }
  // Lets the read that still blocks a thread end.
  await (await open(fifo, "w")).close();
});
