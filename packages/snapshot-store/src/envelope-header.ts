import {
  LANGUAGES,
  SNAPSHOT_FORMAT_VERSION,
  describeValue,
  type CellLanguage,
  type PreparedSource,
  type RunScope,
  type SnapshotCompression,
  type SnapshotRecord,
  type VmSnapshot,
} from "@codemode/protocol";
import { incompatible } from "./incompatible.js";

/** JSON text of everything in a record but the VM's memory, in UTF-8. */
export function encodeHeader({ runId, scope, ttlMs, parked }: SnapshotRecord): Uint8Array {
  const { memory: _memory, ...snapshot } = parked.snapshot;
  return new TextEncoder().encode(JSON.stringify({ runId, scope, ttlMs, snapshot, source: parked.source }));
}

/**
 * The record in a header, once it is given its memory. Untrusted.
 *
 * @throws {CodeModeError} `snapshot_incompatible`.
 */
export function decodeHeader(header: Uint8Array): (memory: Uint8Array) => SnapshotRecord {
  const { runId, scope, ttlMs, snapshot, source } = record(parse(header), "header");
  const fields = {
    runId: text(runId, "runId"),
    scope: decodeScope(record(scope, "scope")),
    ttlMs: number(ttlMs, "ttlMs"),
  };
  const withMemory = decodeSnapshot(record(snapshot, "snapshot"));
  const prepared = decodeSource(record(source, "source"));
  return (memory) => ({ ...fields, parked: { snapshot: withMemory(memory), source: prepared } });
}

function parse(header: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(header)) as unknown;
  } catch {
    throw incompatible("the header is not JSON");
  }
}

function decodeScope({ agentRunId, sessionId, agentId }: Record<string, unknown>): RunScope {
  return {
    agentRunId: text(agentRunId, "scope.agentRunId"),
    ...(sessionId === undefined ? {} : { sessionId: text(sessionId, "scope.sessionId") }),
    ...(agentId === undefined ? {} : { agentId: text(agentId, "scope.agentId") }),
  };
}

function decodeSnapshot(fields: Record<string, unknown>): (memory: Uint8Array) => VmSnapshot {
  const snapshot = {
    formatVersion: integer(fields["formatVersion"], "snapshot.formatVersion"),
    engine: text(fields["engine"], "snapshot.engine"),
    ...(fields["imageId"] === undefined ? {} : { imageId: text(fields["imageId"], "snapshot.imageId") }),
    stackPointer: integer(fields["stackPointer"], "snapshot.stackPointer"),
    runtimePtr: integer(fields["runtimePtr"], "snapshot.runtimePtr"),
    contextPtr: integer(fields["contextPtr"], "snapshot.contextPtr"),
    channelToken: integer(fields["channelToken"], "snapshot.channelToken"),
    checksum: checksum(fields["checksum"]),
    bytes: integer(fields["bytes"], "snapshot.bytes"),
    ...(fields["compression"] === undefined ? {} : { compression: decodeCompression(fields["compression"]) }),
  };
  if (snapshot.formatVersion !== SNAPSHOT_FORMAT_VERSION) {
    const { formatVersion } = snapshot;
    throw incompatible(`the snapshot has format version ${formatVersion}, this build reads ${SNAPSHOT_FORMAT_VERSION}`);
  }
  return (memory) => ({ ...snapshot, memory });
}

function decodeCompression(value: unknown): SnapshotCompression {
  const { format, memoryBytes } = record(value, "snapshot.compression");
  if (format !== "deflate") throw wrong("snapshot.compression.format", 'a known format, "deflate"', format);
  return { format, memoryBytes: integer(memoryBytes, "snapshot.compression.memoryBytes") };
}

function decodeSource({ language, submitted, code, insertions, sourceMap }: Record<string, unknown>): PreparedSource {
  if (!LANGUAGES.includes(language as CellLanguage)) throw wrong("source.language", "a language", language);
  if (!Array.isArray(insertions)) throw wrong("source.insertions", "an array", insertions);
  return {
    language: language as CellLanguage,
    submitted: text(submitted, "source.submitted"),
    code: text(code, "source.code"),
    insertions: (insertions as readonly unknown[]).map((item) => {
      const { offset, length } = record(item, "source.insertions");
      return { offset: integer(offset, "source.insertions"), length: integer(length, "source.insertions") };
    }),
    ...(sourceMap === undefined ? {} : { sourceMap: text(sourceMap, "source.sourceMap") }),
  };
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(what, "an object", value);
  return value as Record<string, unknown>;
}

function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw wrong(what, "a string", value);
  return value;
}

function number(value: unknown, what: string): number {
  if (typeof value !== "number" || value < 0) throw wrong(what, "a number of at least 0", value);
  return value;
}

function integer(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw wrong(what, "an integer of at least 0", value);
  return value as number;
}

function checksum(value: unknown): number {
  const sum = integer(value, "snapshot.checksum");
  if (sum > 0xffffffff) throw wrong("snapshot.checksum", "an integer of at most 4294967295", sum);
  return sum;
}

function wrong(what: string, expected: string, value: unknown): Error {
  return incompatible(`${what} must be ${expected}, got ${describeValue(value)}`);
}
