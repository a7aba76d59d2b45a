import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export type { Attributes, Span } from '@opentelemetry/api';

/** What makes spans in this process. There is one for all, as the context that they are found in is the process's own, too. */
interface Tracing {
  tracer: Tracer;
  /** Whether a trace that begins now is to be sampled. */
  isNextSampled: () => boolean;
}

/** Codes and names of errors are short. */
const MOST_CHARACTERS = 64;

let tracing: Tracing | null = null;

export function useTracing(given: Tracing | null): void {
  tracing = given;
}

/** Whether this process makes spans. Where it doesn't, nothing here does anything. */
export const isTracing = (): boolean => tracing !== null;

interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** A `traceparent`. Null begins a trace; without it, the parent is the span under way. */
  parent?: string | null;
  /** The parent is a stranger's: whether to sample is not for it to say, neither by its flag nor by its choice of an id. */
  isStranger?: boolean;
  /** Each a `traceparent`. */
  links?: readonly string[];
  attributes?: Attributes;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** A span, which its caller ends; null where this process makes none. */
export function startSpan(name: string, options: SpanOptions = {}): Span | null {
  if (!tracing) return null;
  const { kind, parent, isStranger = false, links = [], attributes = {} } = options;
  const flags = isStranger ? Number(tracing.isNextSampled()) * TraceFlags.SAMPLED : undefined;
  return tracing.tracer.startSpan(
    name,
    {
      kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
      links: links.map((link) => ({ context: contextOf(link) })),
      attributes,
    },
    parent === undefined ? context.active() : parentContext(parent, flags),
  );
}

/** Runs the work within the span, so that spans made in there are its children. */
const withinSpan = <Result>(span: Span, work: () => Result): Result =>
  context.with(trace.setSpan(context.active(), span), work);

/** Runs the work within a span of its own. Where no span is under way, it is not traced: what runs by itself begins no trace. */
export function traced<Result>(
  name: string,
  options: Omit<SpanOptions, 'parent'>,
  work: (span: Span | null) => Promise<Result>,
): Promise<Result> {
  const span = tracing && trace.getSpan(context.active()) ? startSpan(name, options) : null;
  return span ? endedAfter(span, () => work(span)) : work(null);
}

/** Runs the work within the span, and ends it. */
export async function endedAfter<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await withinSpan(span, work);
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Says that what the span is about has failed, and the kind of error. Its message may hold anything, and stays out. */
export function noteFailure(span: Span, error: unknown): void {
  const { name, code } = (error ?? {}) as { name?: string; code?: string | number };
  span.setAttribute('error.type', String(code ?? name ?? 'unknown').slice(0, MOST_CHARACTERS));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The span as others refer to it. */
export const traceparentOfSpan = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
};

/** Of the span under way; null where there is none or it is not sampled: what follows from it is not traced either. */
export function currentTraceparent(): string | null {
  const span = tracing ? trace.getSpan(context.active()) : undefined;
  return span?.isRecording() ? traceparentOfSpan(span) : null;
}

function parentContext(parent: string | null, flags: number | undefined): Context {
  if (parent === null) return ROOT_CONTEXT;
  const remote = contextOf(parent);
  return trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceFlags: flags ?? remote.traceFlags });
}

/** @param traceparent a valid one */
function contextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}
