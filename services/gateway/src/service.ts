import {
  createDatabase,
  createHousekeeping,
  createOutboxRelay,
  type Database,
  databaseSettings,
  stuckEventRoutes,
} from '@frontdesk/database';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import { AHEAD_MS, createRedis, createSharedLimiter } from '@frontdesk/redis';
import {
  type App,
  createApp,
  createClientAddress,
  createIdentitySigner,
  createIdentityVerifier,
  healthRoutes,
  httpPart,
  type IdentityVerifier,
  type Part,
  type PlainServer,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createAuthentication } from './api/authenticate.ts';
import { createBodyReaders } from './api/body-readers.ts';
import { createFailedAttempts } from './api/failed-attempts.ts';
import { createGatewayMetrics } from './api/gateway-metrics.ts';
import { ingestRoutes } from './api/ingest.routes.ts';
import { keyRoutes } from './api/keys.routes.ts';
import { openApiRoute } from './api/openapi.routes.ts';
import { proxyRoutes } from './api/proxy.routes.ts';
import { createPublicPort } from './api/public-port.ts';
import { quotaUsageRoutes } from './api/quota-usage.routes.ts';
import { type StatisticsRoutesDeps, statisticsRoutes } from './api/statistics.routes.ts';
import { tenantProfileRoutes, tenantRoutes, tenantViewRoutes } from './api/tenants.routes.ts';
import { usageRoutes } from './api/usage.routes.ts';
import { createAccessChanges } from './clients/access-changes.ts';
import { createAnswerRoom } from './clients/answer-room.ts';
import { createRequestCounts } from './clients/request-counts.ts';
import { createUpstream, type Upstream } from './clients/upstream.ts';
import { createUpstreamMetrics } from './clients/upstream-metrics.ts';
import type { GatewayConfig } from './config.ts';
import { apiKeyEntity } from './data/api-key.entity.ts';
import { createApiKeyRepository } from './data/api-key.repository.ts';
import { migrations } from './data/migrations/index.ts';
import { tenantEntity } from './data/tenant.entity.ts';
import { createTenantRepository, isSuspended } from './data/tenant.repository.ts';
import { createKeyCache } from './domain/key-cache.ts';
import { createRoomAhead, type RoomAhead } from './domain/room-ahead.ts';
import { createLimiter, type Limiter } from './use-cases/limit-request.ts';
import { createKeyUsage } from './workers/key-usage.worker.ts';
import { createRequestCounter } from './workers/request-counts.worker.ts';
import { createRoomAheadWorker } from './workers/room-ahead.worker.ts';

export interface GatewayService {
  parts: Part[];
  api: PlainServer;
  internal: App;
}

export async function buildGateway(config: GatewayConfig, context: ServiceContext): Promise<GatewayService> {
  const { logger, metrics } = context;
  const signer = await createIdentitySigner({
    issuer: 'gateway',
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: 'gateway',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });

  const database = createDatabase({
    ...databaseSettings(config),
    entities: [tenantEntity, apiKeyEntity],
    migrations,
    logger,
    metrics,
  });
  const told = createGatewayMetrics(metrics);
  const apiKeys = createApiKeyRepository(database);
  const keyUsage = createKeyUsage({ keys: apiKeys, logger });

  const redisOptions = {
    url: config.REDIS_URL,
    service: 'gateway',
    timeoutMs: config.REDIS_TIMEOUT_MS,
    logger,
  };
  const commands = createRedis({ ...redisOptions, name: 'commands' });
  const subscription = createRedis({ ...redisOptions, name: 'subscription' });
  const keys = createKeyCache({
    findMany: apiKeys.findCallers,
    ttlMs: config.KEY_CACHE_MS,
    unknownTtlMs: config.UNKNOWN_KEY_CACHE_MS,
    onFound: told.keyResolved,
  });
  told.watchKeys(keys);
  const accessChanges = createAccessChanges({
    publisher: commands.redis,
    subscriber: subscription.redis,
    onTenant: keys.forgetTenant,
    onReset: keys.forgetAll,
    onSilence: keys.recheck,
  });
  const shared = createSharedLimiter(commands.redis);
  const requestCounts = createRequestCounts(commands.redis);
  const requestCounter = createRequestCounter({ counts: requestCounts, logger });
  const roomAhead = createRoomAhead({ periodMs: AHEAD_MS });
  const limiterOptions = {
    shared,
    timeoutMs: config.RATE_LIMIT_TIMEOUT_MS,
    replicas: config.GATEWAY_REPLICAS,
    logger,
  };

  const limiterNamed = (name: string, own: { roomAhead?: RoomAhead } = {}) =>
    createLimiter({ ...limiterOptions, ...own, onDecision: told.decided(name) });
  const tenantLimiter = limiterNamed('tenant', { roomAhead });

  const timeoutMs = config.UPSTREAM_TIMEOUT_MS;
  const takenWithinMs = config.CLIENT_REQUEST_TIMEOUT_MS;
  const upstreamOptions = {
    ...{ timeoutMs, takenWithinMs, logger },
    answerRoom: createAnswerRoom(metrics),
    metrics: createUpstreamMetrics(metrics),
  };
  const scheduling = createUpstream({ name: 'scheduling', url: config.SCHEDULING_URL, ...upstreamOptions });
  const crm = createUpstream({ name: 'crm', url: config.CRM_URL, ...upstreamOptions });
  const calls = createUpstream({ name: 'calls', url: config.CALLS_URL, ...upstreamOptions });
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: 'gateway',
    logger,
  });
  const publisher = createPublisher({ kafka, logger, metrics });

  const failedAttempts = createFailedAttempts({
    limiter: limiterNamed('failed_attempts'),
    clientAddress: createClientAddress(config.TRUSTED_PROXIES, logger),
  });
  const authenticate = createAuthentication({
    keys,
    limiter: tenantLimiter,
    failedAttempts,
    onUse: keyUsage.note,
    onDecided: requestCounter.note,
  });
  const { readBody, readMessage } = createBodyReaders({
    metrics,
    addressOf: failedAttempts.addressOf,
    paceMs: config.INGEST_PACE_MS,
  });
  const proxied = (prefix: string, upstream: Upstream) => proxyRoutes({ prefix, upstream, signer, readBody });
  const api = createPublicPort({
    routes: [
      ...proxied('/api/v1/appointments', scheduling),
      ...proxied('/api/v1/staff', scheduling),
      ...proxied('/api/v1/services', scheduling),
      ...proxied('/api/v1/customers', crm),
      ...proxied('/api/v1/calls', calls),
      openApiRoute(),
      ...ingestRoutes({
        upstream: calls,
        limiter: limiterNamed('ingest'),
        ratePerMinute: config.INGEST_RATE_PER_MINUTE,
        failedAttempts,
        readMessage,
      }),
    ],
    authenticate,
    ...{ logger, metrics, onAnswered: told.answered },
    headersTimeoutMs: config.CLIENT_HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.CLIENT_REQUEST_TIMEOUT_MS,
  });

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  await internalRoutes(internal, {
    database,
    verifier,
    limiter: tenantLimiter,
    requestStatistics: { counts: requestCounts, flush: requestCounter.flush },
    announce: accessChanges.announce,
  });

  const parts: Part[] = [
    database,
    commands.part,
    subscription.part,
    accessChanges,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    keyUsage.part,
    requestCounter.part,
    createRoomAheadWorker({ roomAhead, shared }),
    createHousekeeping({ database, logger, metrics }),
    scheduling.part,
    crm.part,
    calls.part,
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpPart({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { parts, api, internal };
}

async function internalRoutes(
  internal: App,
  deps: {
    database: Database;
    verifier: IdentityVerifier;
    limiter: Limiter;
    requestStatistics: Pick<StatisticsRoutesDeps, 'counts' | 'flush'>;
    announce: (tenantId: number) => void;
  },
): Promise<void> {
  const { database, verifier, limiter, requestStatistics, announce } = deps;
  const tenants = createTenantRepository(database);
  await internal.register(async (operators: App) => {
    requireIdentity(operators, { verifier, roles: ['operator'] });
    tenantRoutes(operators, { database, tenants, announce });
    stuckEventRoutes(operators, { database });
  });
  await internal.register(async (viewers: App) => {
    requireIdentity(viewers, { verifier, roles: ['operator', 'service', 'admin'] });
    tenantViewRoutes(viewers, { database });
  });
  await internal.register(async (admins: App) => {
    requireIdentity(admins, { verifier, roles: ['operator', 'admin'] });
    refuseSuspended(admins, isSuspended(database));
    keyRoutes(admins, { database, announce });
    tenantProfileRoutes(admins, { database, announce });
    usageRoutes(admins, { database, limiter });
    quotaUsageRoutes(admins, { database });
    statisticsRoutes(admins, { database, ...requestStatistics });
  });
}
