import type { GuestRuntime, GuestSurface, GuestVm, VmOptions } from "@codemode/protocol";
import { loadEngine, type Engine } from "./engine.js";
import { createHandleLedger } from "./handles.js";
import { createInstance, restoreInstance, type EngineInstance, type InstanceOptions } from "./instance.js";
import { assertParkable, fromVmSnapshot, refuse, snapshotBytes, toVmSnapshot } from "./snapshot.js";
import { LiveVm } from "./vm.js";

/** QuickJS-WASI without images: a new engine per cell, and dense snapshots. Slower, and rests on less. */
export function createPlainRuntime(): GuestRuntime {
  const handles = createHandleLedger();
  let engine: Promise<Engine> | undefined;

  async function open(
    surface: GuestSurface,
    options: VmOptions,
    start: (options: InstanceOptions) => Promise<EngineInstance>,
  ): Promise<GuestVm> {
    engine ??= loadEngine();
    const loaded = await engine;
    const instance = await start({ engine: loaded, surface, memoryLimitBytes: options.limits.memoryLimitBytes });
    instance.clock.tell(options.seed);
    instance.budget.watch(options.isAborted);
    const giveBack = handles.lend(instance.handles);
    return new LiveVm({
      instance,
      limits: options.limits,
      park() {
        const { vm, channel } = instance;
        assertParkable(snapshotBytes(vm._getMemory().buffer.byteLength), options.limits.maxSnapshotBytes);
        return toVmSnapshot(vm.snapshot(), loaded.hash, channel.token);
      },
      dispose(isClean) {
        giveBack(isClean);
        instance.dispose();
      },
    });
  }

  return {
    async load() {
      engine ??= loadEngine();
      await engine;
    },
    create: (surface, options) =>
      open(surface, options, (settings) =>
        createInstance({ ...settings, prepareClock: (clock) => clock.seedWith(options.seed) }),
      ),
    restore: (snapshot, surface, options) =>
      open(surface, options, async (settings) => {
        const dense = fromVmSnapshot(snapshot, settings.engine.hash);
        return restoreInstance({ snapshot: dense, channelToken: snapshot.channelToken }, settings).catch(
          (cause: unknown) => refuse(cause instanceof Error ? cause.message : "unknown cause"),
        );
      }),
    liveHandles: () => handles.live(),
    dispose() {
      engine = undefined;
    },
  };
}
