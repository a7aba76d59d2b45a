import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  type AppError,
  type Component,
  type Logger,
  loop,
  noteFailure,
  type Span,
  startSpan,
  traceparentOfSpan,
} from '@frontdesk/service';
import type { Dispatcher } from 'undici';
import type { Holder, HolderLines } from '../state/holder-lines.ts';
import { type BackendAnswer, BackendCall } from './backend-call.ts';
import { createBalancer, type ResolveName } from './balancer.ts';
import { unavailable } from './failures.ts';
import type { FailureReason, UpstreamMetrics } from './upstream-metrics.ts';

/** More than this waiting for one service won't be answered in time either: refused, not queued. */
export const MAX_WAITING = 2_048;
/** How soon a new process of a service gets its part of the calls. */
const REFRESH_MS = 5_000;

/** The call that a request makes, among its headers: @fastify/reply-from hands a dispatcher nothing else of ours. */
export const CALL = Symbol('call');

interface RequestedCall {
  client: ServerResponse;
  /** Byte for byte what the backend gets, with the query. The plugin's own has been through `new URL`. */
  path: string;
  body: Buffer | null;
  holder: Holder;
}

export type HeadersWithCall = IncomingHttpHeaders & { [CALL]: RequestedCall };

interface RequestOptions {
  method: Dispatcher.HttpMethod;
  headers: HeadersWithCall;
}

/** A service that the gateway forwards to, at all addresses behind its name: the dispatcher of its @fastify/http-proxy. */
export interface Upstream {
  name: string;
  url: string;
  /** As undici's own, for what the plugin needs of it: errors are AppErrors, 503 or 504. Nobody hears of a call whose client has gone. */
  request(
    options: RequestOptions,
    done: (error: AppError | null, answer: BackendAnswer | null) => void,
  ): void;
  component: Component;
}

export function createUpstream(options: {
  name: string;
  url: string;
  /** Longest wait for an answer to begin, whatever is tried meanwhile. */
  timeoutMs: number;
  /** Calls under way to one address. */
  connections?: number;
  /** Of all upstreams together. */
  holders: HolderLines;
  metrics: UpstreamMetrics;
  logger: Logger;
  resolveName?: ResolveName;
}): Upstream {
  const { name, url, timeoutMs, holders, metrics, logger } = options;
  const balancer = createBalancer({
    url,
    connections: options.connections,
    resolveName: options.resolveName,
  });
  metrics.watch(name, balancer.backends);
  const addresses = loop({
    name: `addresses of ${name}`,
    intervalMs: REFRESH_MS,
    logger,
    run: balancer.refresh,
  });
  const onFailure = (reason: FailureReason) => metrics.failed(name, reason);
  let waiting = 0;

  return {
    name,
    url,
    request({ method, headers }, done) {
      const { client, path, body, holder } = headers[CALL];
      if (client.destroyed) return;
      if (waiting >= MAX_WAITING) return done(unavailable('too many calls are waiting'), null);
      waiting += 1;
      const startedMs = performance.now();
      const span = startCallSpan(name, method, headers);
      new BackendCall({
        request: { method, path, headers, body },
        ...{ client, balancer, holder, holders, timeoutMs, onFailure },
        onSettled(error, answer) {
          waiting -= 1;
          metrics.took(name, (performance.now() - startedMs) / 1_000);
          if (span) endCallSpan(span, error, answer);
          if (error || answer) done(error, answer);
        },
      });
    },
    component: {
      ...addresses,
      name: `upstream-${name}`,
      async start() {
        // A name that can't be resolved yet is asked for again and again; no start waits for it.
        await balancer.refresh().catch(() => {});
        await addresses.start();
      },
      async stop() {
        await addresses.stop();
        await balancer.close();
      },
    },
  };
}

/** A span for the call, from its place in line to the beginning of the answer; the backend's request is its child. */
function startCallSpan(upstream: string, method: string, headers: HeadersWithCall): Span | null {
  const span = startSpan(`${method} ${upstream}`, {
    ...{ kind: 'client', parent: headers.traceparent as string },
    attributes: { 'http.request.method': method, 'service.peer.name': upstream },
  });
  if (span) headers.traceparent = traceparentOfSpan(span);
  return span;
}

function endCallSpan(span: Span, error: AppError | null, answer: BackendAnswer | null): void {
  if (answer) span.setAttribute('http.response.status_code', answer.statusCode);
  if (error) noteFailure(span, error);
  span.end();
}
