import { getQuickJS, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten";
import { echo, type Peer } from "./peer.js";

/** quickjs-emscripten in the host's own thread, a new context per cell. */
export const quickJsEmscripten: Peer = {
  name: "quickjs-emscripten in-process",
  async open() {
    const engine = await getQuickJS();
    return {
      async run(code) {
        const context = engine.newContext();
        try {
          installEcho(context);
          return await evaluate(context, code);
        } finally {
          context.dispose();
        }
      },
      close: async () => {},
    };
  },
};

async function evaluate(context: QuickJSContext, code: string): Promise<unknown> {
  const promise = context.unwrapResult(context.evalCode(`(async () => {${code}\n})()`));
  const settled = context.resolvePromise(promise);
  promise.dispose();
  context.runtime.executePendingJobs();
  const value = context.unwrapResult(await settled);
  const dumped: unknown = context.dump(value);
  value.dispose();
  return dumped;
}

function installEcho(context: QuickJSContext): void {
  const tool = context.newFunction("echo", (input) => {
    const reply = context.newPromise();
    void Promise.resolve(echo(context.dump(input))).then((value) => settle(context, reply, value as number));
    return reply.handle;
  });
  context.setProp(context.global, "echo", tool);
  tool.dispose();
}

function settle(context: QuickJSContext, reply: { resolve(value: QuickJSHandle): void }, value: number): void {
  const handle = context.newNumber(value);
  reply.resolve(handle);
  handle.dispose();
  context.runtime.executePendingJobs();
}
