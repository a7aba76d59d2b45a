import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, noteFailure, type Span, startSpan, traceparentOfSpan } from './spans.ts';
import { traceparentOf } from './trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

interface HookedApp {
  decorateRequest(name: 'span', value: null): unknown;
  addHook(
    name: 'onRequest' | 'preHandler',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
}

/**
 * A span for each request but probes, from its arrival to its answer; `endRequestSpan` ends it. Without tracing no hook is added.
 * @param isPublic whether strangers send these requests
 */
export function traceRequests(app: HookedApp, { isPublic }: { isPublic: boolean }): void {
  if (!isTracing()) return;
  app.decorateRequest('span', null);
  const within = ({ span }: FastifyRequest, done: () => void) => {
    if (span) context.with(trace.setSpan(ROOT_CONTEXT, span), done);
    else done();
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, raw } = request;
    const { url: route = 'unmatched', config } = routeOptions;
    if (config.open) return done();
    const sent = raw.headers.traceparent;
    const span = startSpan(`${method} ${route}`, {
      kind: 'server',
      parent: traceparentOf(sent) === sent ? (sent as string) : null,
      isStranger: isPublic,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    request.span = span;
    if (span) request.traceparent = traceparentOfSpan(span);
    within(request, done);
  });
  // The events by which a body arrives lead out of the span.
  app.addHook('preHandler', (request, _reply, done) => within(request, done));
}

export function endRequestSpan({ span, tenantId }: FastifyRequest, status: number): void {
  if (!span) return;
  span.setAttribute('http.response.status_code', status);
  if (tenantId !== undefined) span.setAttribute('frontdesk.tenant.id', tenantId);
  if (status >= 500) noteFailure(span, { code: status });
  span.end();
}
