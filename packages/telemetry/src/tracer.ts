/** What of OpenTelemetry's `Tracer` is used, so that a host without OpenTelemetry needs none of its types. */
export interface Tracer {
  startSpan(name: string, options?: SpanOptions, context?: object): TracedSpan;
}

export interface SpanOptions {
  readonly kind?: number;
  readonly attributes?: Record<string, string | number | boolean>;
}

/** What of OpenTelemetry's `Span` is used. */
export interface TracedSpan {
  setAttribute(name: string, value: string | number | boolean): unknown;
  setStatus(status: { readonly code: number }): unknown;
  addLink?(link: { readonly context: never }): unknown;
  spanContext(): object;
  end(): void;
}
