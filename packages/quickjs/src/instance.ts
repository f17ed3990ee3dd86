import { QuickJS, type JSValueHandle, type QuickJSOptions, type Snapshot } from "quickjs-wasi";
import { CodeModeError, type GuestSurface } from "@codemode/protocol";
import { restoreBase, takeInstall, type Base } from "./base.js";
import { createRunBudget, type RunBudget } from "./budget.js";
import { evaluatePrelude, installChannel, restoreChannel, type VmChannel } from "./channel.js";
import { createVmClock, type VmClock } from "./clock.js";
import type { Engine } from "./engine.js";
import { createGuestFunctions, type GuestFunctions } from "./guest-functions.js";
import { countHandles, type HandleCount } from "./handles.js";
import { createRejectionReports, type RejectionReports } from "./rejection-reports.js";
import { engineSettings } from "./settings.js";

/** Budget of building a VM's globals, which depends on the surface only. */
const INSTALL_BUDGET_MS = 60_000;

/** One engine with the prelude in it, and what the host hangs on it. Owned: dispose it. */
export interface EngineInstance {
  readonly vm: QuickJS;
  readonly channel: VmChannel;
  readonly clock: VmClock;
  readonly budget: RunBudget;
  readonly reports: RejectionReports;
  readonly functions: GuestFunctions;
  /** All handles, the channel's own included. */
  readonly handles: HandleCount;
  dispose(): void;
}

export interface InstanceOptions {
  readonly engine: Engine;
  readonly surface: GuestSurface;
  readonly memoryLimitBytes: number;
  /** Called before the engine reads its clock for the first time. */
  prepareClock?(clock: VmClock): void;
}

/** A fresh engine with its surface installed. @throws {CodeModeError} `runtime_unavailable`. */
export async function createInstance(options: InstanceOptions): Promise<EngineInstance> {
  return open(options, async (settings, functions) => {
    const prelude = await options.engine.prelude();
    const vm = await QuickJS.create(settings);
    const handles = countHandles(vm);
    const channel = install({ vm, options, functions, prepare: () => evaluatePrelude(vm, prelude) });
    return { vm, handles, channel };
  });
}

/** An engine that goes on from the base, with its surface installed. @throws {CodeModeError} `runtime_unavailable`. */
export async function installInstance(base: Base, options: InstanceOptions): Promise<EngineInstance> {
  return open(options, async (settings, functions) => {
    const vm = await restoreBase(base, settings);
    const handles = countHandles(vm);
    const channel = install({ vm, options, functions, prepare: () => takeInstall(base, vm) });
    return { vm, handles, channel };
  });
}

interface InstallParts {
  readonly vm: QuickJS;
  readonly options: InstanceOptions;
  readonly functions: GuestFunctions;
  /** Gives the prelude's install function. */
  prepare(): JSValueHandle;
}

function install({ vm, options, functions, prepare }: InstallParts): VmChannel {
  const { surface, memoryLimitBytes } = options;
  try {
    return installChannel(vm, { install: prepare(), surface, functions });
  } catch (cause) {
    vm.dispose();
    throw doesNotFit(surface, memoryLimitBytes, cause);
  }
}

/** An engine that goes on from a dense snapshot. `fill`, where given, writes its memory first. */
export async function restoreInstance(
  { snapshot, channelToken, fill }: { snapshot: Snapshot; channelToken: number; fill?: (vm: QuickJS) => void },
  options: InstanceOptions,
): Promise<EngineInstance> {
  return open(options, async (settings, functions) => {
    const vm = await QuickJS.restore(snapshot, settings);
    const handles = countHandles(vm);
    fill?.(vm);
    functions.restore(vm);
    return { vm, handles, channel: restoreChannel(vm, channelToken) };
  });
}

type OpenVm = (
  settings: QuickJSOptions,
  functions: GuestFunctions,
) => Promise<Pick<EngineInstance, "vm" | "channel" | "handles">>;

async function open(options: InstanceOptions, openVm: OpenVm): Promise<EngineInstance> {
  const clock = createVmClock();
  const budget = createRunBudget();
  const reports = createRejectionReports();
  const functions = createGuestFunctions(options.engine.library, { clock, surface: options.surface });
  options.prepareClock?.(clock);
  budget.begin(INSTALL_BUDGET_MS);
  const settings = engineSettings(options.engine, {
    wasi: clock.wasi,
    memoryLimit: options.memoryLimitBytes,
    interruptHandler: () => budget.isOver() || functions.fault() !== undefined,
    onUnhandledRejection: reports.onUnhandledRejection,
  });
  const { vm, channel, handles } = await openVm(settings, functions);
  reports.connect(channel);
  return {
    vm,
    channel,
    clock,
    budget,
    reports,
    functions,
    handles,
    dispose() {
      // The engine first: afterwards giving handles back touches no memory, which a trap may have ruined.
      vm.dispose();
      channel.dispose();
    },
  };
}

function doesNotFit(surface: GuestSurface, memoryLimitBytes: number, cause: unknown): CodeModeError {
  const reason = `the catalog of ${surface.tools.length} tools does not fit the memory limit of ${memoryLimitBytes} bytes`;
  return new CodeModeError("runtime_unavailable", `The cell could not be set up: ${reason}.`, { reason }, { cause });
}
