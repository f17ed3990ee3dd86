import { cellContender } from "../cell-contender.js";
import { roundTrips, ROUND_TRIP } from "../floor.js";
import { interleave } from "../interleave.js";
import { bareQuickJsWasi } from "../peers/bare-quickjs-wasi.js";
import { codemode } from "../peers/codemode.js";
import { nodeVm } from "../peers/node-vm.js";
import type { Peer } from "../peers/peer.js";
import { quickJsEmscripten } from "../peers/quickjs-emscripten.js";
import { run } from "../peers/run.js";
import type { Side } from "../report.js";
import { toSides, type SideRole } from "../sides.js";
import type { Scale } from "./work.js";

/** Peers whose cells can call tools. */
export const CALLING_PEERS: readonly Peer[] = [run, nodeVm, quickJsEmscripten];
export const ALL_PEERS: readonly Peer[] = [...CALLING_PEERS, bareQuickJsWasi];

export interface CellComparison {
  readonly code: string;
  /** What the cell gives; a side that gives something else is not measured. */
  readonly value: unknown;
  readonly peers: readonly Peer[];
  readonly scale: Scale;
}

/** One cell on Codemode, on its peers and beside the round trip. */
export async function compareCells({ code, value, peers, scale }: CellComparison): Promise<Side[]> {
  const contenders = [codemode, ...peers].map((peer) => cellContender(peer, { code, value }));
  return toSides(await interleave([...contenders, roundTrips()], scale.interleaved(15_000)), roleOfCell);
}

function roleOfCell(name: string): SideRole {
  if (name === ROUND_TRIP) return { role: "floor", unit: "ms" };
  return name === codemode.name
    ? { role: "ours", unit: "ms", against: ROUND_TRIP }
    : { role: "peer", unit: "ms", against: codemode.name };
}
