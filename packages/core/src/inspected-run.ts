import type { DebugView } from "./debug-view.js";
import type { CodeModeRun } from "./options.js";

const DEBUG_VIEW = Symbol("debug view");

/** A run of ours, which knows where its debug view is. */
interface InspectedRun extends CodeModeRun {
  readonly [DEBUG_VIEW]?: DebugView;
}

/** Makes the view known to functions that are given the run. */
export function withDebugView(run: CodeModeRun, view: DebugView | undefined): CodeModeRun {
  return view === undefined ? run : Object.defineProperty(run, DEBUG_VIEW, { value: view });
}

export function debugViewOf(run: CodeModeRun): DebugView | undefined {
  return (run as InspectedRun)[DEBUG_VIEW];
}
