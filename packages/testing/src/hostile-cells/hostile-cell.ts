import type { BridgeReply, BridgeRequest, GuestSurface } from "@codemode/protocol";
import { surfaceOf } from "../runtime-contract.js";

/** One attack: a program, and everything that may come of it. */
export interface HostileCell {
  readonly name: string;
  readonly source: string;
  readonly expected: HostileOutcome;
}

/** How a cell ended: its value, or its failure without a location. `output` where it wrote some. */
export type HostileOutcome =
  | { readonly value: unknown; readonly output?: readonly unknown[] }
  | { readonly failure: HostileFailure; readonly output?: readonly unknown[] };

export interface HostileFailure {
  readonly message: string;
  readonly phase: string;
  readonly code?: string;
}

/** The tools `echo` and `fail`, the function `MCP.files.read`, and one declaration file. */
export const HOSTILE_SURFACE: GuestSurface = {
  ...surfaceOf("echo", "fail"),
  fingerprint: "hostile",
  mcp: [{ name: "files", aliases: [], functions: [{ binding: 0, name: "read", aliases: ["read-file"] }] }],
  apiFiles: [{ path: "files.d.ts", description: "The files server.", content: "declare const files: {};", bytes: 24 }],
};

/** What the host answers: `echo` its input, `fail` an error, a search every tool. */
export function answerHostile(request: BridgeRequest): BridgeReply {
  const { id } = request;
  switch (request.method) {
    case "call":
      if (request.binding === 1) return { id, ok: false, error: { name: "ToolError", message: "no", code: "E1" } };
      return { id, ok: true, value: request.input };
    case "search":
      return { id, ok: true, value: '{"bindings":[0,1]}' };
    case "describe":
      return { id, ok: true, value: '{"name":"echo"}' };
    case "timer":
    case "yield":
      return { id, ok: true, value: "null" };
  }
}

export function fails(message: string, phase = "guest"): HostileOutcome {
  return { failure: { message, phase } };
}
