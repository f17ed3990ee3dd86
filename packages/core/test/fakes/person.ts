import type { ApprovalGate, NestedCall } from "@codemode/protocol";
import type { Clock } from "../../src/clock.js";

/** What a person does about one call: answers, or rejects, after some time. */
export interface Decision {
  readonly afterMs: number;
  /** An `Error` rejects. Default "allow". */
  readonly answer?: Awaited<ReturnType<ApprovalGate>> | Error;
}

/** Somebody who decides as it stands in each call's input, as `{ ask: Decision }`. Without one the call is allowed at once. */
export interface Person {
  readonly asked: NestedCall[];
  readonly approve: ApprovalGate;
}

/** `clock` is asked for when it is needed: the host that has it is given the person. */
export function createPerson(clock: () => Clock): Person {
  const asked: NestedCall[] = [];
  return {
    asked,
    approve(call) {
      asked.push(call);
      const { ask } = call.input as { readonly ask?: Decision };
      if (ask === undefined) return Promise.resolve("allow");
      const { afterMs, answer = "allow" } = ask;
      return new Promise((resolve, reject) => {
        clock().schedule(() => (answer instanceof Error ? reject(answer) : resolve(answer)), afterMs);
      });
    },
  };
}
