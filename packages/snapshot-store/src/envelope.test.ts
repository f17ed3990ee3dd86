import { CodeModeError, SNAPSHOT_FORMAT_VERSION, type SnapshotRecord } from "@codemode/protocol";
import { parkedCellOf, snapshotRecordOf } from "@codemode/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crc32 } from "./crc32.js";
import { decodeEnvelope, encodeEnvelope } from "./envelope.js";

fc.configureGlobal({ seed: 5 });

const EXPECTED = { engine: "engine", maxBytes: 1_000_000 };

function record(): SnapshotRecord {
  const parked = parkedCellOf(7);
  const source = {
    language: "typescript" as const,
    submitted: "é \ud800",
    code: "1",
    insertions: [{ offset: 0, length: 7 }],
    sourceMap: "{}",
  };
  return snapshotRecordOf("cm_1", { parked: { ...parked, source }, scope: { agentRunId: "r", agentId: "a" } });
}

function refusal(reason: string): CodeModeError {
  return new CodeModeError("snapshot_incompatible", `The snapshot cannot be restored: ${reason}.`, { reason });
}

/** An envelope with another header and a correct frame around it. */
function withHeader(change: (header: Record<string, Record<string, unknown>>) => unknown): Uint8Array {
  const envelope = encodeEnvelope(record());
  const headerBytes = new DataView(envelope.buffer).getUint32(12, true);
  const header = JSON.parse(Buffer.from(envelope.subarray(24, 24 + headerBytes)).toString()) as Record<
    string,
    Record<string, unknown>
  >;
  const changed = change(header);
  return framed(
    Buffer.from(typeof changed === "string" ? changed : JSON.stringify(header)),
    envelope.subarray(24 + headerBytes),
  );
}

function framed(header: Uint8Array, memory: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(24 + header.length + memory.length);
  bytes.set(Buffer.from("codemode"));
  bytes.set(header, 24);
  bytes.set(memory, 24 + header.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, SNAPSHOT_FORMAT_VERSION, true);
  view.setUint32(12, header.length, true);
  view.setUint32(16, memory.length, true);
  view.setUint32(20, crc32(bytes.subarray(24)), true);
  return bytes;
}

describe("WAIT-13: envelopes", () => {
  test("a record comes back as it was, and shares no memory with its envelope", () => {
    const envelope = Buffer.from(encodeEnvelope(record()));
    const decoded = decodeEnvelope(envelope, EXPECTED);
    expect(decoded).toEqual(record());
    envelope.fill(0);
    expect(decoded).toEqual(record());
    expect(decoded.parked.snapshot.memory.constructor).toBe(Uint8Array);
  });

  test("an envelope inside a larger buffer is read at its offset", () => {
    const envelope = encodeEnvelope(record());
    const larger = new Uint8Array(envelope.length + 20);
    larger.set(envelope, 7);
    expect(decodeEnvelope(larger.subarray(7, 7 + envelope.length), EXPECTED)).toEqual(record());
  });

  test("any changed, missing or added byte is refused, whatever it hits", () => {
    const envelope = encodeEnvelope(record());
    fc.assert(
      fc.property(fc.nat(envelope.length - 1), fc.integer({ min: 1, max: 255 }), (offset, mask) => {
        const damaged = envelope.slice();
        damaged[offset] = (damaged[offset] ?? 0) ^ mask;
        expect(() => decodeEnvelope(damaged, EXPECTED)).toThrow(/^The snapshot cannot be restored: /);
        expect(() => decodeEnvelope(envelope.subarray(0, offset), EXPECTED)).toThrow(CodeModeError);
      }),
    );
    expect(() => decodeEnvelope(new Uint8Array([...envelope, 0]), EXPECTED)).toThrow(
      refusal("the sizes in the envelope do not match its bytes"),
    );
  });

  test("foreign bytes, another version, another engine and too many bytes are refused by name", () => {
    const envelope = encodeEnvelope(record());
    const other = envelope.slice();
    other[8] = 9;
    const attempt =
      (bytes: Uint8Array, expected: Partial<typeof EXPECTED> = {}) =>
      () =>
        decodeEnvelope(bytes, { ...EXPECTED, ...expected });
    expect(attempt(new Uint8Array(3))).toThrow(refusal("the envelope has only 3 bytes"));
    expect(attempt(new Uint8Array(100))).toThrow(refusal("the bytes are not an envelope"));
    expect(attempt(other)).toThrow(refusal("the envelope has format version 9, this build reads 1"));
    expect(attempt(envelope, { engine: "next" })).toThrow(refusal("it belongs to another engine build"));
    expect(attempt(envelope, { maxBytes: envelope.length - 1 })).toThrow(
      refusal(`the envelope has ${envelope.length} bytes, at most ${envelope.length - 1} are accepted`),
    );
  });

  test("sizes that promise more than there is allocate nothing", () => {
    const envelope = encodeEnvelope(record());
    new DataView(envelope.buffer).setUint32(16, 0xffffffff, true);
    expect(() => decodeEnvelope(envelope, EXPECTED)).toThrow(
      refusal("the sizes in the envelope do not match its bytes"),
    );
  });

  const headers: readonly (readonly [name: string, change: Parameters<typeof withHeader>[0], reason: string])[] = [
    ["no JSON", () => "{", "the header is not JSON"],
    ["no object", () => "[]", "header must be an object, got an array"],
    ["no run id", (header) => delete header["runId"], "runId must be a string, got undefined"],
    [
      "a scope without a run",
      (header) => delete header["scope"]?.["agentRunId"],
      "scope.agentRunId must be a string, got undefined",
    ],
    [
      "a negative life",
      (header) => Object.assign(header, { ttlMs: -1 }),
      "ttlMs must be a number of at least 0, got -1",
    ],
    [
      "a fractional pointer",
      (header) => Object.assign(header["snapshot"] ?? {}, { stackPointer: 0.5 }),
      "snapshot.stackPointer must be an integer of at least 0, got 0.5",
    ],
    [
      "another snapshot format",
      (header) => Object.assign(header["snapshot"] ?? {}, { formatVersion: 2 }),
      "the snapshot has format version 2, this build reads 1",
    ],
    [
      "an unknown language",
      (header) => Object.assign(header["source"] ?? {}, { language: "python" }),
      'source.language must be a language, got "python"',
    ],
    [
      "a wrong insertion",
      (header) => Object.assign(header["source"] ?? {}, { insertions: [1] }),
      "source.insertions must be an object, got 1",
    ],
  ];
  test.each(headers)("a header with %s is refused", (_name, change, reason) => {
    expect(() => decodeEnvelope(withHeader(change), EXPECTED)).toThrow(refusal(reason));
  });

  test("the checksum is the common CRC-32", () => {
    expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
  });
});
