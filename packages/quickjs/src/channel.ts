import type { JSValueHandle, QuickJS } from "quickjs-wasi";
import type { GuestSurface } from "@codemode/protocol";
import type { GuestFunctions } from "./guest-functions.js";
import { installedPart } from "./surface-answers.js";

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

export interface SurfaceParts {
  /** The prelude's install function; the installation takes it over. */
  readonly install: JSValueHandle;
  readonly surface: GuestSurface;
  readonly functions: GuestFunctions;
}

/** Evaluates the prelude's bytecode in a fresh VM; gives its install function, which the caller disposes. */
export function evaluatePrelude(vm: QuickJS, prelude: Uint8Array): JSValueHandle {
  return vm.evalBytecode(prelude);
}

/** Installs a surface. */
export function installChannel(vm: QuickJS, { install, surface, functions }: SurfaceParts): VmChannel {
  const surfaceText = vm.newString(installedPart(surface));
  const { answer, load } = functions.create(vm);
  try {
    return bindChannel(vm, vm.callFunction(install, vm.undefined, surfaceText, answer, load));
  } finally {
    for (const handle of [surfaceText, answer, load, install]) handle.dispose();
  }
}

/** Finds the channel again in a VM restored from a snapshot. */
export function restoreChannel(vm: QuickJS, token: number): VmChannel {
  return bindChannel(vm, vm.importHandle(token));
}

function bindChannel(vm: QuickJS, object: JSValueHandle): VmChannel {
  const functions = Object.fromEntries(METHODS.map((method) => [method, object.getProp(method)])) as Record<
    Method,
    JSValueHandle
  >;

  function call(method: Method, ...inputs: JSValueHandle[]): void {
    vm.callFunction(functions[method], vm.undefined, ...inputs).dispose();
  }
  function callForText(method: Method, ...inputs: JSValueHandle[]): string {
    const text = vm.callFunction(functions[method], vm.undefined, ...inputs);
    try {
      return text.toString();
    } finally {
      text.dispose();
    }
  }

  function withHandle(handle: JSValueHandle, use: (handle: JSValueHandle) => void): void {
    try {
      use(handle);
    } finally {
      handle.dispose();
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
      for (const method of METHODS) functions[method].dispose();
      object.dispose();
    },
  };
}
