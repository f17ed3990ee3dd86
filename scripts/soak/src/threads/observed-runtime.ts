import type { GuestRuntime, GuestVm } from "@codemode/protocol";
import { readMark, type Death } from "../mark.js";
import type { ThreadPage } from "../thread-pages.js";

/** The same engine, which tells its page what it does; `die` ends the thread where a cell's mark says so. */
export function observeRuntime(runtime: GuestRuntime, page: ThreadPage, die: () => void): GuestRuntime {
  let open = 0;

  function observe(vm: GuestVm): GuestVm {
    let death: Death | undefined;
    let isDisposed = false;
    open += 1;
    page.onOpen();
    const dieAt = (moment: Death): void => {
      if (death === moment) die();
    };
    return {
      evaluate(source, budgetMs) {
        const mark = readMark(source.submitted);
        death = mark?.death;
        if (mark !== undefined) page.onEvaluate(mark.cell);
        dieAt("evaluate");
        return vm.evaluate(source, budgetMs);
      },
      deliver(delivery, budgetMs) {
        dieAt("deliver");
        return vm.deliver(delivery, budgetMs);
      },
      park() {
        dieAt("park");
        return vm.park();
      },
      dispose() {
        vm.dispose();
        if (isDisposed) return;
        isDisposed = true;
        open -= 1;
        page.onDispose(open === 0 ? runtime.liveHandles() : 0);
      },
    };
  }

  return {
    load: () => runtime.load(),
    create: async (surface, options) => observe(await runtime.create(surface, options)),
    restore: async (snapshot, surface, options) => observe(await runtime.restore(snapshot, surface, options)),
    liveHandles: () => runtime.liveHandles(),
    dispose: () => runtime.dispose(),
  };
}
