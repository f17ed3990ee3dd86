import { shortText } from "./short-text.js";
import type { TracedSpan, Tracer } from "./tracer.js";

/** OpenTelemetry's numbers: a span within one process, and a failed one. */
const KIND_INTERNAL = 0;
const STATUS_ERROR = 2;
const MAX_NAME_CHARS = 200;

/** One call of a tool, as spans name it. Names are cut at 200 characters; nothing of input or output belongs here. */
export interface TracedCall {
  readonly toolName: string;
  readonly callId?: string;
  /** Further attributes, with their full names. */
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface TracedEnd {
  /** Absent when the call succeeded: the name of the error or the code of the failure. */
  readonly errorType?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** An open span. None of its methods throws what the tracer throws. */
export interface ToolSpan {
  startChild(call: TracedCall): ToolSpan;
  /** Says that this span goes on where another has stopped. */
  linkTo(other: ToolSpan): void;
  /** Runs the work with the span active, so that what it traces itself lies under it. */
  run<T>(work: () => T): T;
  /** Idempotent. */
  end(outcome?: TracedEnd): void;
  readonly span: TracedSpan | undefined;
}

/** Starts spans under whatever span is active. */
export interface Tracing {
  startTool(call: TracedCall): ToolSpan;
}

/** What of the module `@opentelemetry/api` is used. */
interface OpenTelemetry {
  readonly context: { active(): object; with<T>(context: object, work: () => T): T };
  readonly trace: { setSpan(context: object, span: TracedSpan): object };
}

export interface TracingOptions {
  readonly tracer: Tracer;
  /** Told what the tracer throws, and why `@opentelemetry/api` cannot be loaded. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Spans by OpenTelemetry's conventions for generative AI. Loads `@opentelemetry/api`, from which every tracer comes;
 * undefined, once told as a fault, when that fails.
 */
export async function loadTracing({ tracer, onFault }: TracingOptions): Promise<Tracing | undefined> {
  try {
    const api = (await import("@opentelemetry/api")) as unknown as OpenTelemetry;
    return { startTool: (call) => startSpan({ tracer, api, onFault }, call, undefined) };
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}

interface Parts extends TracingOptions {
  readonly api: OpenTelemetry;
}

function startSpan(parts: Parts, call: TracedCall, parent: object | undefined): ToolSpan {
  const { tracer, api, onFault } = parts;
  /** What an observer throws must not become the failure of what it observes. */
  function attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (fault) {
      onFault(fault);
      return undefined;
    }
  }

  const opened = attempt(() => {
    const under = parent ?? api.context.active();
    const name = shortText(call.toolName, MAX_NAME_CHARS);
    const options = { kind: KIND_INTERNAL, attributes: attributesOf(call, name) };
    const span = tracer.startSpan(`execute_tool ${name}`, options, under);
    return { span, context: api.trace.setSpan(under, span) };
  });
  let isEnded = false;

  return {
    span: opened?.span,
    startChild: (child) => startSpan(parts, child, opened?.context),
    linkTo: ({ span }) => {
      if (span !== undefined) attempt(() => opened?.span.addLink?.({ context: span.spanContext() as never }));
    },
    run: (work) => (opened === undefined ? work() : api.context.with(opened.context, work)),
    end({ errorType, attributes = {} } = {}) {
      if (isEnded || opened === undefined) return;
      isEnded = true;
      const { span } = opened;
      attempt(() => {
        for (const [name, value] of Object.entries(attributes))
          span.setAttribute(name, shortText(value, MAX_NAME_CHARS));
        if (errorType === undefined) return;
        span.setAttribute("error.type", shortText(errorType, MAX_NAME_CHARS));
        span.setStatus({ code: STATUS_ERROR });
      });
      attempt(() => span.end());
    },
  };
}

function attributesOf({ callId, attributes = {} }: TracedCall, name: string): Record<string, string> {
  const given = Object.entries(attributes).map(([key, value]) => [key, shortText(value, MAX_NAME_CHARS)]);
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
    ...(callId === undefined ? {} : { "gen_ai.tool.call.id": shortText(callId, MAX_NAME_CHARS) }),
    ...(Object.fromEntries(given) as Record<string, string>),
  };
}
