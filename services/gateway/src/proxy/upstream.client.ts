import { AsyncLocalStorage } from 'node:async_hooks';
import type { Operation } from '@frontdesk/contracts';
import { createFairQueue, type FairQueue } from '@frontdesk/fair';
import {
  BackendDispatcher,
  type BackendDispatchOptions,
  type BackendFailure,
  type Component,
  type Holder,
  type Logger,
  loop,
  MAX_UNANSWERED,
  type ResolveName,
} from '@frontdesk/service';
import type { Dispatcher } from 'undici';
import type { GatewayConfig } from '../config.ts';
import { AnswerOfCall, type Call } from './backend-call.client.ts';

/** Calls of one holder at all upstreams at once: one that asks for much, or reads answers slowly, leaves connections to others. */
const CALLS_OF_HOLDER = 32;
/** How soon a new process of a service gets calls. */
const REFRESH_MS = 5_000;
/** Connections to one address, unless the upstream names another number. */
const CONNECTIONS = 128;

/** Hands the call from the proxy's handler to the dispatcher. */
const calls = new AsyncLocalStorage<Call | null>();

export interface UpstreamMetrics {
  /** Seconds until an answer began, or until it was clear that none would. */
  took(upstream: string, seconds: number): void;
  failed(upstream: string, reason: BackendFailure): void;
  /** Reports the addresses, calls and waiting requests of an upstream at every scrape. */
  watch(upstream: string, dispatcher: BackendDispatcher): void;
}

/** A service that the gateway forwards to, at all addresses behind its name. */
export interface Upstream {
  name: string;
  url: string;
  /** For @fastify/http-proxy. Its errors are AppErrors, 503 or 504. A call whose client has closed its connection reports none. */
  dispatcher: Dispatcher;
  /** Runs `send`: the request that it sends to the service is this call. */
  make(call: Call, send: () => void): void;
  component: Component;
}

export type Upstreams = Record<Operation['owner'], Upstream>;

/** The services whose public ports the gateway forwards to. */
export function createUpstreams(
  config: GatewayConfig,
  { metrics, logger }: { metrics: UpstreamMetrics; logger: Logger },
): Upstreams {
  const options = {
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    waitMs: config.UPSTREAM_WAIT_MS,
    silenceMs: config.UPSTREAM_SILENCE_MS,
    holders: createFairQueue<Holder>({ perHolder: CALLS_OF_HOLDER }),
    metrics,
    logger,
  };
  return {
    scheduling: createUpstream({ ...options, name: 'scheduling', url: config.SCHEDULING_URL }),
    crm: createUpstream({ ...options, name: 'crm', url: config.CRM_URL }),
    calls: createUpstream({ ...options, name: 'calls', url: config.CALLS_URL }),
    webhooks: createUpstream({
      ...options,
      name: 'webhooks',
      url: config.WEBHOOKS_URL,
      // Many requests of the feed wait for events at the same time.
      connections: MAX_UNANSWERED,
    }),
  };
}

export function createUpstream(options: {
  name: string;
  url: string;
  /** Longest wait for an answer to begin, whatever is tried meanwhile. */
  timeoutMs: number;
  /** Longest wait of a call for a process that takes it. */
  waitMs?: number;
  /** Longest silence of a process before others get its calls. */
  silenceMs?: number;
  /** Calls in flight to one address. */
  connections?: number;
  /** Places of tenants, which several upstreams may share. */
  holders: FairQueue<Holder>;
  metrics: UpstreamMetrics;
  logger: Logger;
  resolveName?: ResolveName;
}): Upstream {
  const { name, url, timeoutMs, metrics, logger } = options;
  const backends = new BackendDispatcher({
    url,
    connections: options.connections ?? CONNECTIONS,
    maxUnanswered: MAX_UNANSWERED,
    waitMs: options.waitMs,
    silenceMs: options.silenceMs,
    holders: options.holders,
    resolveName: options.resolveName,
    onFailure: (reason) => metrics.failed(name, reason),
  });
  const { addresses } = backends;
  metrics.watch(name, backends);
  const refreshing = loop({
    name: `addresses of ${name}`,
    intervalMs: REFRESH_MS,
    logger,
    run: addresses.refresh,
  });

  return {
    name,
    url,
    make: (call, send) => calls.run(call, send),
    dispatcher: backends.compose((dispatch) => (sent, handler) => {
      const call = calls.getStore();
      if (!call) throw new Error('no request makes this call');
      const bounded: BackendDispatchOptions = {
        ...sent,
        holder: call.holder,
        headersTimeout: Math.max(1, timeoutMs + call.mayWaitMs - call.spentMs),
        bodyTimeout: timeoutMs,
      };
      const onSettled = (seconds: number) => metrics.took(name, seconds);
      const answer = new AnswerOfCall({ call, handler, onSettled });
      // A connection that is opened for the call outlives it, and must not keep it in memory.
      return calls.run(null, () => dispatch(bounded, answer));
    }),
    component: {
      ...refreshing,
      name: `upstream-${name}`,
      async start() {
        // The start does not wait for a name that can't be resolved yet: the loop looks it up again.
        await addresses.refresh().catch(() => {});
        await refreshing.start();
      },
      async stop() {
        await refreshing.stop();
        await backends.close();
      },
    },
  };
}
