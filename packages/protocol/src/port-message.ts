import type { BridgeReply, BridgeRequest } from "./bridge.js";
import type { CellStep } from "./executor.js";
import type { ParkedCell, VmSnapshot } from "./snapshot.js";
import type { WorkerCommand, WorkerReport } from "./worker-messages.js";

/** A text or a memory that travels beside the head of its message. */
export type PortPart = string | Uint8Array;

/**
 * What crosses a worker's port: JSON of the message, then what that JSON leaves out, in the order in which it stands
 * there: texts of any length, which so need no escaping, and the memory of a snapshot. Threads exchange a flat list of
 * strings in half the time a nested object takes.
 */
export type PortMessage = readonly [head: string, ...parts: PortPart[]];

type Fields = Record<string, unknown>;

export function encodeCommand(command: WorkerCommand): PortMessage {
  const parts: PortPart[] = [];
  switch (command.type) {
    case "surface": {
      const { text, ...head } = command;
      parts.push(text);
      return [JSON.stringify(head), ...parts];
    }
    case "deliver": {
      const { replies, cancelled } = command.delivery;
      const delivery = { replies: replies.map((reply) => withoutValue(reply, parts)), cancelled };
      return [JSON.stringify({ ...command, delivery }), ...parts];
    }
    case "start": {
      const { start } = command;
      if (start.type === "source") return [JSON.stringify(command)];
      const snapshot = withoutMemory(start.parked.snapshot, parts);
      const replies = start.replies.map((reply) => withoutValue(reply, parts));
      const head = { ...command, start: { ...start, parked: { ...start.parked, snapshot }, replies } };
      return [JSON.stringify(head), ...parts];
    }
    case "park":
    case "end":
    case "stop":
      return [JSON.stringify(command)];
  }
}

/** The command that `encodeCommand` was given. Trusted: the host wrote it. */
export function decodeCommand(message: PortMessage): WorkerCommand {
  const next = partsOf(message);
  const command = JSON.parse(message[0]) as WorkerCommand;
  switch (command.type) {
    case "surface":
      Object.assign(command, { text: next() });
      break;
    case "deliver":
      restoreValues(command.delivery.replies, next);
      break;
    case "start":
      if (command.start.type === "source") break;
      Object.assign(command.start.parked.snapshot, { memory: next() });
      restoreValues(command.start.replies, next);
      break;
    case "park":
    case "end":
    case "stop":
  }
  return command;
}

export function encodeReport(report: WorkerReport): PortMessage {
  if (report.type !== "step") return [JSON.stringify(report)];
  const parts: PortPart[] = [];
  const { output } = report.result;
  const items = output.items.map((item) => withoutText(item, parts));
  const result = { ...stepHead(report.result, parts), output: { ...output, items } };
  return [JSON.stringify({ ...report, result }), ...parts];
}

/**
 * What a worker sent, put together again but not checked against `WorkerReportSchema`. Untrusted; undefined when it was
 * not taken apart by `encodeReport`.
 */
export function joinReport(message: unknown): unknown {
  if (!isPortMessage(message)) return undefined;
  const next = partsOf(message);
  try {
    const report = JSON.parse(message[0]) as { readonly type?: unknown; readonly result?: Fields };
    if (report.type === "step") restoreStep(report.result as Fields, next);
    return next() === undefined ? report : undefined;
  } catch {
    return undefined;
  }
}

function stepHead(step: CellStep, parts: PortPart[]): object {
  switch (step.type) {
    case "boundary": {
      const requests = step.requests.map((request) => withoutInput(request, parts));
      if (step.parked === undefined) return { ...step, requests };
      return { ...step, requests, parked: withoutMemoryOf(step.parked, parts) };
    }
    case "completed":
      return { ...step, value: withoutText(step.value, parts) };
    case "parked":
      return { ...step, parked: withoutMemoryOf(step.parked, parts) };
    default:
      return step;
  }
}

/** Output comes first: `encodeReport` takes it out first. Throws for what is not there. */
function restoreStep(step: Fields, next: () => PortPart | undefined): void {
  for (const item of (step["output"] as { items: Fields[] }).items) item["text"] = next();
  switch (step["type"]) {
    case "boundary":
      for (const request of step["requests"] as Fields[]) if (request["method"] === "call") request["input"] = next();
      if (step["parked"] !== undefined) restoreMemory(step["parked"], next);
      return;
    case "completed":
      (step["value"] as Fields)["text"] = next();
      return;
    case "parked":
      restoreMemory(step["parked"], next);
  }
}

function restoreMemory(parked: unknown, next: () => PortPart | undefined): void {
  (parked as { snapshot: Fields }).snapshot["memory"] = next();
}

function withoutText<Item extends { readonly text: string }>(item: Item, parts: PortPart[]): Omit<Item, "text"> {
  const { text, ...head } = item;
  parts.push(text);
  return head;
}

function withoutInput(request: BridgeRequest, parts: PortPart[]): object {
  if (request.method !== "call") return request;
  parts.push(request.input);
  return { method: "call", id: request.id, binding: request.binding };
}

function withoutMemoryOf({ snapshot, source }: ParkedCell, parts: PortPart[]): object {
  return { source, snapshot: withoutMemory(snapshot, parts) };
}

function withoutMemory(snapshot: VmSnapshot, parts: PortPart[]): object {
  const { memory, ...head } = snapshot;
  parts.push(memory);
  return head;
}

function withoutValue(reply: BridgeReply, parts: PortPart[]): object {
  if (!reply.ok) return reply;
  parts.push(reply.value);
  return { id: reply.id, ok: true };
}

function restoreValues(replies: readonly BridgeReply[], next: () => PortPart | undefined): void {
  for (const reply of replies) if (reply.ok) Object.assign(reply, { value: next() });
}

function partsOf(message: PortMessage): () => PortPart | undefined {
  let index = 0;
  return () => message[++index];
}

function isPortMessage(message: unknown): message is PortMessage {
  return Array.isArray(message) && typeof message[0] === "string";
}
