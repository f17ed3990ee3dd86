import { JSException, type HostFunction, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import type { GuestSurface } from "@codemode/protocol";
import { compileChunk } from "./bytecode.js";
import type { VmClock } from "./clock.js";
import type { HostLibrary } from "./library/host-library.js";

/** The host's part of the guest library, shared by all VMs of one engine. Holds nothing of a cell's. */
export interface LibraryHost {
  readonly answers: HostLibrary;
  /** Bytecode of chunks that a VM has asked for, by their names. */
  readonly chunks: Map<string, Uint8Array>;
}

/** The two functions the prelude gets. A cell never sees them; they give nothing but text and the library's own code. */
export interface GuestFunctions {
  /** Makes them in a fresh VM; the caller owns the handles. */
  create(vm: QuickJS): { answer: JSValueHandle; load: JSValueHandle };
  /** Connects those of a restored VM. */
  restore(vm: QuickJS): void;
  /** What broke inside one of them, other than an exception of the guest: the VM cannot be trusted any more. */
  fault(): { readonly cause: unknown } | undefined;
}

// Part of every image and parked VM.
const ANSWER = "codemode:answer";
const LOAD = "codemode:load";

export function createGuestFunctions(
  { answers, chunks }: LibraryHost,
  { clock, surface }: { clock: VmClock; surface: GuestSurface },
): GuestFunctions {
  let fault: { readonly cause: unknown } | undefined;

  /** A function of a text and a receiver, which gets what the text leads to. */
  function giving(valueFor: (vm: QuickJS, text: string) => JSValueHandle): HostFunction {
    return (text, receive) => {
      const { vm } = text;
      try {
        const value = valueFor(vm, text.toString());
        try {
          vm.callFunction(receive, vm.undefined, value).dispose();
        } finally {
          value.dispose();
        }
      } catch (cause) {
        if (cause instanceof JSException) throw cause;
        fault ??= { cause };
      }
      return vm.undefined;
    };
  }
  const answer = giving((vm, question) => {
    return vm.newString(answers.answer(question, { isSeeded: clock.isSeeded(), surface }));
  });
  const load = giving((vm, name) => {
    const bytecode = chunks.get(name) ?? compileChunk(vm, name);
    chunks.set(name, bytecode);
    return vm.evalBytecode(bytecode);
  });

  return {
    create: (vm) => ({ answer: vm.newFunction(ANSWER, answer), load: vm.newFunction(LOAD, load) }),
    restore(vm) {
      vm.registerHostCallback(ANSWER, answer);
      vm.registerHostCallback(LOAD, load);
    },
    fault: () => fault,
  };
}
