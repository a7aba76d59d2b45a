import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Operation } from '@frontdesk/contracts';
import {
  type App,
  AppError,
  type ClientAddress,
  createApp,
  type IdentitySigner,
  type Logger,
  MAX_BODY_BYTES,
  MAX_CLIENT_HEADER_BYTES,
  type Metrics,
} from '@frontdesk/service';
import { Gauge } from 'prom-client';
import type { CallSources } from '../clients/call-sources.client.ts';
import type { Upstream } from '../clients/upstream.ts';
import type { GatewayConfig } from '../config.ts';
import { loggedPath } from '../domain/ingest-address.ts';
import type { KeyAccess } from '../domain/key-access.ts';
import { hasDotSegments, originForm, pathOf, queryOf } from '../domain/request-target.ts';
import type { KeyCache } from '../state/key-cache.ts';
import { BODY_MEMORY, createMemoryBudget, type MemoryBudget, TENANT_MEMORY } from '../state/memory-budget.ts';
import { authenticate, refusedMeanwhile } from './authenticate.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { ingestRoutes } from './ingest.routes.ts';
import { createKeylessReads } from './keyless-reads.ts';
import { limitTenants } from './limit-tenants.ts';
import { registerRateLimits } from './limiter.ts';
import { proxyRoutes } from './proxy.routes.ts';
import { createBodyReader } from './request-body.ts';
import { deprecationHeaders, responseHeaders } from './response-headers.ts';

interface PublicPortDeps {
  config: GatewayConfig;
  logger: Logger;
  metrics: Metrics;
  gatewayMetrics: GatewayMetrics;
  keys: KeyCache;
  store: FastifyRateLimitStoreCtor;
  clientAddress: ClientAddress;
  signer: IdentitySigner;
  sources: CallSources;
  upstreams: Record<'scheduling' | 'crm' | 'calls' | 'webhooks', Upstream>;
  /** What API v1 does. */
  operations: readonly Operation[];
  onUse: (access: KeyAccess) => void;
  onDecided: (tenantId: number, isAllowed: boolean) => void;
}

const NO_QUERY = {};

/** The public port. A request goes through its hooks in the order in which they stand here. */
export async function createPublicPort(deps: PublicPortDeps): Promise<App> {
  const { config, logger, metrics, gatewayMetrics, upstreams, signer, operations } = deps;
  const app = createApp({
    ...{ logger, metrics, isPublic: true },
    limits: {
      headersTimeoutMs: config.CLIENT_HEADERS_TIMEOUT_MS,
      requestTimeoutMs: config.CLIENT_REQUEST_TIMEOUT_MS,
      maxHeaderBytes: MAX_CLIENT_HEADER_BYTES,
    },
    // Whatever a target looks like, it is routed as a path: so the key comes first, and what is wrong with it afterwards.
    rewriteUrl: ({ url }) => originForm(url ?? ''),
    // For methods that no proxy passes on.
    routesBehind: operations.map(({ method, path }) => ({
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      method: method === 'GET' ? [method, 'HEAD'] : method,
    })),
    // Queries are the backends' to read.
    parseQuery: () => NO_QUERY,
    onEnded: ({ routeOptions, access }, status) =>
      gatewayMetrics.answered(routeOptions.url ?? 'unmatched', status, access?.plan ?? null),
    logFields: ({ routeOptions, access, url }) => ({
      key_id: access?.keyId,
      path: loggedPath(pathOf(url)),
      upstream: routeOptions.config.upstream,
    }),
  });
  const limiterNamed = await registerRateLimits(app, { store: deps.store, metrics: gatewayMetrics });
  const failedAttempts = createFailedAttempts({
    limiter: limiterNamed('failed_attempts'),
    clientAddress: deps.clientAddress,
  });

  responseHeaders(app, { publicUrl: config.PUBLIC_URL });
  deprecationHeaders(app, operations);
  authenticate(app, { keys: deps.keys, failedAttempts, onUse: deps.onUse });
  limitTenants(app, { limiter: limiterNamed('tenant'), onDecided: deps.onDecided });
  app.addHook('onRequest', ({ access, url }, _reply, done) => {
    done(access && hasDotSegments(pathOf(url)) ? new AppError('not_found', 'Not found.') : undefined);
  });

  const keyed = createMemoryBudget({ totalBytes: BODY_MEMORY });
  const keyless = createMemoryBudget({ totalBytes: BODY_MEMORY });
  const takenWithinMs = config.CLIENT_REQUEST_TIMEOUT_MS;
  const readBody = createBodyReader({
    budget: keyed,
    maxBytes: MAX_BODY_BYTES,
    boundsOf: ({ tenantId }) => [{ holder: tenantId, bytes: TENANT_MEMORY }],
  });
  watchBodies(metrics, [keyed, keyless]);

  const common = { signer, readBody, takenWithinMs };
  const proxied = (prefix: string, upstream: Upstream) =>
    proxyRoutes(app, { prefix, upstream, mayCompress: () => true, ...common });
  proxied('/api/v1/appointments', upstreams.scheduling);
  proxied('/api/v1/staff', upstreams.scheduling);
  proxied('/api/v1/services', upstreams.scheduling);
  proxied('/api/v1/business', upstreams.scheduling);
  proxied('/api/v1/customers', upstreams.crm);
  proxied('/api/v1/calls', upstreams.calls);
  proxyRoutes(app, {
    ...{ prefix: '/api/v1/events', upstream: upstreams.webhooks, ...common },
    // Who waits for the next event gets few of them, and wants them at once.
    mayCompress: ({ url }) => !new URLSearchParams(queryOf(url)).has('wait'),
    screen: (request) => refusedMeanwhile(request, deps.keys),
  });
  docsRoutes(app, {
    operations,
    url: (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, ''),
    refusal: createKeylessReads({ addressOf: failedAttempts.addressOf, metrics: gatewayMetrics }),
  });
  ingestRoutes(app, {
    upstream: upstreams.calls,
    sources: deps.sources,
    limiter: limiterNamed('ingest'),
    ratePerMinute: config.INGEST_RATE_PER_MINUTE,
    budget: keyless,
    paceMs: config.INGEST_PACE_MS,
    ...{ failedAttempts, takenWithinMs },
  });
  return app;
}

function watchBodies({ registry }: Metrics, budgets: readonly MemoryBudget[]): void {
  new Gauge({
    name: 'gateway_request_body_bytes',
    help: 'Memory that bodies of requests under way hold.',
    registers: [registry],
    collect() {
      this.set(budgets.reduce((sum, budget) => sum + budget.held(), 0));
    },
  });
}
