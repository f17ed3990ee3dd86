import { EvalFlags, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import { PRELUDE_FILE_NAME, PRELUDE_TEXT } from "@codemode/guest";
import type { GuestSurface } from "@codemode/protocol";
import type { HandleLedger } from "./handles.js";

const METHODS = ["start", "resolve", "reject", "drop", "rejected", "uncaught", "step", "output", "describe"] as const;
type Method = (typeof METHODS)[number];

/** The adapter's end of the prelude's channel: calls its functions with handles or text. */
export interface VmChannel {
  /** Where the channel object lives in the VM's memory; good for restoring this VM's snapshot. */
  readonly token: number;
  start(body: JSValueHandle, maxOutputChars: number): void;
  resolve(id: number, text: string): void;
  reject(id: number, text: string): void;
  drop(id: number): void;
  rejected(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void;
  uncaught(reason: JSValueHandle): void;
  step(): string;
  output(): string;
  describe(error: JSValueHandle): string;
  dispose(): void;
}

/** Evaluates the prelude in a fresh VM. */
export function installChannel(vm: QuickJS, surface: GuestSurface, handles: HandleLedger): VmChannel {
  const object = vm.withScope((scope) => {
    const install = vm.evalCode(PRELUDE_TEXT, PRELUDE_FILE_NAME, EvalFlags.STRICT | EvalFlags.BACKTRACE_BARRIER);
    const surfaceText = vm.newString(JSON.stringify(surface));
    return scope.escape(vm.callFunction(install, vm.undefined, surfaceText));
  });
  return bindChannel(vm, handles.own(object), handles);
}

/** Finds the channel again in a VM restored from a snapshot. */
export function restoreChannel(vm: QuickJS, token: number, handles: HandleLedger): VmChannel {
  return bindChannel(vm, handles.own(vm.importHandle(token)), handles);
}

function bindChannel(vm: QuickJS, object: JSValueHandle, handles: HandleLedger): VmChannel {
  const functions = Object.fromEntries(
    METHODS.map((method) => [method, handles.own(object.getProp(method))]),
  ) as Record<Method, JSValueHandle>;

  function call(method: Method, ...inputs: JSValueHandle[]): void {
    handles.release(handles.own(vm.callFunction(functions[method], vm.undefined, ...inputs)));
  }
  function callForText(method: Method, ...inputs: JSValueHandle[]): string {
    const text = handles.own(vm.callFunction(functions[method], vm.undefined, ...inputs));
    try {
      return text.toString();
    } finally {
      handles.release(text);
    }
  }

  function withHandle(handle: JSValueHandle, use: (handle: JSValueHandle) => void): void {
    handles.own(handle);
    try {
      use(handle);
    } finally {
      handles.release(handle);
    }
  }
  function settle(method: "resolve" | "reject", id: number, text: string): void {
    withHandle(vm.newNumber(id), (number) => withHandle(vm.newString(text), (string) => call(method, number, string)));
  }

  return {
    token: vm.exportHandle(object),
    start: (body, maxOutputChars) => withHandle(vm.newNumber(maxOutputChars), (limit) => call("start", body, limit)),
    resolve: (id, text) => settle("resolve", id, text),
    reject: (id, text) => settle("reject", id, text),
    drop: (id) => withHandle(vm.newNumber(id), (number) => call("drop", number)),
    rejected: (promise, reason, isHandled) => call("rejected", promise, reason, isHandled ? vm.true : vm.false),
    uncaught: (reason) => call("uncaught", reason),
    step: () => callForText("step"),
    output: () => callForText("output"),
    describe: (error) => callForText("describe", error),
    dispose() {
      for (const method of METHODS) handles.release(functions[method]);
      handles.release(object);
    },
  };
}
