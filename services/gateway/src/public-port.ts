import { MAX_HEAD_BYTES, type Operation, patternOf } from '@frontdesk/contracts';
import { type App, AppError, createApp, type Logger, type Metrics } from '@frontdesk/service';
import fp from 'fastify-plugin';
import type { GatewayConfig } from './config.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { isMisleading, originForm, pathOf } from './http/request-target.rules.ts';
import { loggedPath } from './ingest/ingest-address.rules.ts';

const NO_QUERY = {};

/** The Fastify app of the public port. `app.ts` registers what a request passes through. */
export function createPublicPort(options: {
  config: GatewayConfig;
  logger: Logger;
  metrics: Metrics;
  gatewayMetrics: GatewayMetrics;
  /** The operations of API v1. */
  operations: readonly Operation[];
}): App {
  const { config, logger, metrics, gatewayMetrics, operations } = options;
  return createApp({
    logger,
    metrics,
    isPublic: true,
    limits: {
      headersTimeoutMs: config.CLIENT_HEADERS_TIMEOUT_MS,
      requestTimeoutMs: config.CLIENT_REQUEST_TIMEOUT_MS,
      maxHeaderBytes: MAX_HEAD_BYTES,
    },
    // Every target is routed as a path, also a misleading one: so the key is checked first, and the target afterwards.
    rewriteUrl: ({ url }) => originForm(url ?? ''),
    // So that a method that the proxy does not pass on gets 405 with the methods of the path.
    routesBehind: operations.map((operation) => ({
      url: patternOf(operation),
      method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
    })),
    // Backends read the query, the gateway does not.
    parseQuery: () => NO_QUERY,
    onEnded: ({ routeOptions, access }, status) =>
      gatewayMetrics.answered(routeOptions.url ?? 'unmatched', status, access?.plan ?? null),
    logFields: ({ routeOptions, access, url }) => ({
      key_id: access?.keyId,
      path: loggedPath(pathOf(url)),
      upstream: routeOptions.config.upstream,
    }),
  });
}

/** 404 for a request with a key whose path the proxy would read in another way than the client. */
export const refuseMisleadingPaths = fp(
  async (app: App) => {
    app.addHook('onRequest', ({ access, url }, _reply, done) => {
      done(access && isMisleading(pathOf(url)) ? new AppError('not_found', 'Not found.') : undefined);
    });
  },
  { name: 'refuse-misleading-paths', dependencies: ['authentication'] },
);
