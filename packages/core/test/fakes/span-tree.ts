import { AsyncLocalStorage } from "node:async_hooks";
import { context, ROOT_CONTEXT, type Context, type ContextManager, type Tracer } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";

export interface SpanNode {
  readonly name: string;
  readonly attributes: ReadableSpan["attributes"];
  readonly isError: boolean;
  readonly children: readonly SpanNode[];
}

export interface TracedWorld {
  readonly tracer: Tracer;
  /** Ended spans, in the order in which they ended. */
  spans(): readonly ReadableSpan[];
  /** Ended spans under their parents, in the order in which they were started. */
  tree(): readonly SpanNode[];
  /** The names of the tree: `[name, children]`. */
  names(): unknown[];
}

/** A tracer over an exporter in memory. */
export function createTracedWorld(): TracedWorld {
  const exporter = new InMemorySpanExporter();
  const started: string[] = [];
  const order: SpanProcessor = {
    onStart: (span) => void started.push(span.spanContext().spanId),
    onEnd: () => {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const provider = new BasicTracerProvider({ spanProcessors: [order, new SimpleSpanProcessor(exporter)] });
  const placeOf = (span: ReadableSpan): number => started.indexOf(span.spanContext().spanId);
  const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();

  function childrenOf(parentId: string | undefined): SpanNode[] {
    return spans()
      .filter((span) => span.parentSpanContext?.spanId === parentId)
      .sort((a, b) => placeOf(a) - placeOf(b))
      .map((span) => ({
        name: span.name,
        attributes: span.attributes,
        isError: span.status.code.valueOf() === 2,
        children: childrenOf(span.spanContext().spanId),
      }));
  }

  return {
    tracer: provider.getTracer("test"),
    spans,
    tree: () => childrenOf(undefined),
    names: () => childrenOf(undefined).map(namesOf),
  };
}

function namesOf({ name, children }: SpanNode): unknown {
  return children.length === 0 ? name : [name, children.map(namesOf)];
}

/** Lets spans be active across awaits, as a Node SDK does. Gives back what it has set when it is told to. */
export function activateContexts(): () => void {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.call(self as never, ...args)),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  return () => context.disable();
}
