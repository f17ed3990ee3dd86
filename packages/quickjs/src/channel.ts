import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { GuestSurface } from "@codemode/protocol";
import type { GuestFunctions } from "./guest-functions.js";
import type { HandleLedger } from "./handles.js";

const METHODS = ["start", "deliver", "rejected", "uncaught", "step", "output", "value", "describe"] as const;
type Method = (typeof METHODS)[number];

/** The adapter's end of the prelude's channel: calls its functions with handles or text. */
export interface VmChannel {
  /** Where the channel object lives in the VM's memory; good for restoring this VM's snapshot. */
  readonly token: number;
  start(body: JSValueHandle, maxOutputChars: number): void;
  deliver(text: string): void;
  rejected(promise: JSValueHandle, reason: JSValueHandle, isHandled: boolean): void;
  uncaught(reason: JSValueHandle): void;
  step(): string;
  output(): string;
  value(): string;
  describe(error: JSValueHandle): string;
  dispose(): void;
}

export interface PreludeParts {
  /** The prelude's bytecode. */
  readonly prelude: Uint8Array;
  readonly surface: GuestSurface;
  readonly functions: GuestFunctions;
}

/** Evaluates the prelude in a fresh VM. */
export function installChannel(vm: QuickJS, parts: PreludeParts, handles: HandleLedger): VmChannel {
  const object = vm.withScope((scope) => {
    const install = vm.evalBytecode(parts.prelude);
    const surfaceText = vm.newString(JSON.stringify(parts.surface));
    const { answer, load } = parts.functions.create(vm);
    return scope.escape(vm.callFunction(install, vm.undefined, surfaceText, answer, load));
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

  return {
    token: vm.exportHandle(object),
    start(body, maxOutputChars) {
      const limit = handles.own(vm.newNumber(maxOutputChars));
      try {
        call("start", body, limit);
      } finally {
        handles.release(limit);
      }
    },
    deliver(text) {
      const handle = handles.own(vm.newString(text));
      try {
        call("deliver", handle);
      } finally {
        handles.release(handle);
      }
    },
    rejected: (promise, reason, isHandled) => call("rejected", promise, reason, isHandled ? vm.true : vm.false),
    uncaught: (reason) => call("uncaught", reason),
    step: () => callForText("step"),
    output: () => callForText("output"),
    value: () => callForText("value"),
    describe: (error) => callForText("describe", error),
    dispose() {
      for (const method of METHODS) handles.release(functions[method]);
      handles.release(object);
    },
  };
}
