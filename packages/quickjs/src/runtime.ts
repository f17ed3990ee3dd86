import { QuickJS, type QuickJSOptions } from "quickjs-wasi";
import {
  CodeModeError,
  type GuestRuntime,
  type GuestSurface,
  type GuestVm,
  type VmOptions,
  type VmSnapshot,
} from "@codemode/protocol";
import { createRunBudget, type RunBudget } from "./budget.js";
import { installChannel, restoreChannel, type VmChannel } from "./channel.js";
import { createVmClock, type VmClock } from "./clock.js";
import { loadEngine, type Engine } from "./engine.js";
import { createHandleLedger } from "./handles.js";
import { fromVmSnapshot } from "./snapshot.js";
import { createGuestVm } from "./vm.js";

/** Native stack the guest may use. With 4 MiB of thread stack every overflow stays catchable in the guest. */
const MAX_STACK_BYTES = 256 * 1024;
/** Budget of building a VM's globals, which depends on the surface only. */
const INSTALL_BUDGET_MS = 60_000;

/** The QuickJS-WASI engine: a VM of its own per cell. The engine is loaded with the first VM. */
export function createQuickJsRuntime(): GuestRuntime {
  const handles = createHandleLedger();
  let engine: Promise<Engine> | undefined;

  async function build(options: VmOptions, open: OpenVm): Promise<GuestVm> {
    engine ??= loadEngine();
    const loaded = await engine;
    const clock = createVmClock(options.seed);
    const budget = createRunBudget(options.isAborted);
    const callback = createRejectionCallback();
    budget.begin(INSTALL_BUDGET_MS);
    const { vm, channel } = await open(loaded, engineOptions(loaded, options, { clock, budget, callback }));
    callback.connect(channel);
    clock.startTelling();
    return createGuestVm({
      vm,
      channel,
      budget,
      handles,
      limits: options.limits,
      engineHash: loaded.hash,
      takeCallbackError: callback.takeError,
    });
  }

  return {
    create: (surface: GuestSurface, options) =>
      build(options, async (_loaded, settings) => {
        const vm = await QuickJS.create(settings);
        try {
          return { vm, channel: installChannel(vm, surface, options.limits.maxOutputBytes, handles) };
        } catch (cause) {
          vm.dispose();
          throw doesNotFit(surface, options.limits.memoryLimitBytes, cause);
        }
      }),
    restore: (snapshot: VmSnapshot, options) =>
      build(options, async (loaded, settings) => {
        const vm = await restoreEngine(snapshot, loaded, settings);
        return { vm, channel: restoreChannel(vm, snapshot.channelToken, handles) };
      }),
    liveHandles: () => handles.live(),
    dispose() {
      engine = undefined;
    },
  };
}

function doesNotFit(surface: GuestSurface, memoryLimitBytes: number, cause: unknown): CodeModeError {
  const reason = `the catalog of ${surface.tools.length} tools does not fit the memory limit of ${memoryLimitBytes} bytes`;
  return new CodeModeError("runtime_unavailable", `The cell could not be set up: ${reason}.`, { reason }, { cause });
}

type OpenVm = (engine: Engine, settings: QuickJSOptions) => Promise<{ vm: QuickJS; channel: VmChannel }>;

interface RejectionCallback {
  readonly onUnhandledRejection: NonNullable<QuickJSOptions["onUnhandledRejection"]>;
  connect(channel: VmChannel): void;
  takeError(): unknown;
}

/** Hands the engine's reports to the prelude. An error in there is kept: throwing through the engine would ruin the VM. */
function createRejectionCallback(): RejectionCallback {
  let target: VmChannel | undefined;
  let error: unknown;
  return {
    onUnhandledRejection(promise, reason, isHandled) {
      try {
        target?.rejected(promise, reason, isHandled);
      } catch (cause) {
        error ??= cause;
      }
    },
    connect(channel) {
      target = channel;
    },
    takeError() {
      const taken = error;
      error = undefined;
      return taken;
    },
  };
}

function engineOptions(
  engine: Engine,
  options: VmOptions,
  parts: { clock: VmClock; budget: RunBudget; callback: RejectionCallback },
): QuickJSOptions {
  return {
    wasm: engine.module,
    wasi: parts.clock.wasi,
    memoryLimit: options.limits.memoryLimitBytes,
    maxStackSize: MAX_STACK_BYTES,
    timezoneOffset: 0,
    interruptHandler: () => parts.budget.isOver(),
    onUnhandledRejection: parts.callback.onUnhandledRejection,
  };
}

async function restoreEngine(snapshot: VmSnapshot, engine: Engine, settings: QuickJSOptions): Promise<QuickJS> {
  const dense = fromVmSnapshot(snapshot, engine.hash);
  try {
    return await QuickJS.restore(dense, settings);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown cause";
    throw new CodeModeError(
      "snapshot_incompatible",
      `The parked cell cannot be restored: ${reason}.`,
      { reason },
      { cause },
    );
  }
}
