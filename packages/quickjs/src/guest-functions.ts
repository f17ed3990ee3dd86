import { JSException, type HostFunction, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import type { CellSeed } from "@codemode/protocol";
import type { GuestSupport } from "./guest-support.js";

/** The two functions the prelude gets. A cell never sees them; they give nothing but text and the library's own code. */
export interface GuestFunctions {
  /** Makes them in a fresh VM; the caller owns the handles. */
  create(vm: QuickJS): { answer: JSValueHandle; load: JSValueHandle };
  /** Connects those of a restored VM. */
  restore(vm: QuickJS): void;
  /** Says whether the next cell is seeded. */
  tell(seed: CellSeed | undefined): void;
  /** What broke inside one of them, other than an exception of the guest: the VM cannot be trusted any more. */
  fault(): { readonly cause: unknown } | undefined;
}

// Part of every image and parked VM.
const ANSWER = "codemode:answer";
const LOAD = "codemode:load";

export function createGuestFunctions({ library, scripts }: GuestSupport): GuestFunctions {
  let isSeeded = false;
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
  const answer = giving((vm, question) => vm.newString(library.answer(question, isSeeded)));
  const load = giving((vm, name) => vm.evalBytecode(scripts.chunk(name)));

  return {
    create: (vm) => ({ answer: vm.newFunction(ANSWER, answer), load: vm.newFunction(LOAD, load) }),
    restore(vm) {
      vm.registerHostCallback(ANSWER, answer);
      vm.registerHostCallback(LOAD, load);
    },
    tell(seed) {
      isSeeded = seed !== undefined;
    },
    fault: () => fault,
  };
}
