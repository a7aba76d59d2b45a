import {
  createDatabase,
  createHousekeeping,
  createOutboxRelay,
  type Database,
  databaseSettings,
} from '@frontdesk/database';
import { stuckEventRoutes } from '@frontdesk/database-http';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import { createRedis, createSharedLimiter, type SharedLimiter } from '@frontdesk/redis';
import {
  type App,
  createApp,
  createClientAddress,
  createIdentitySigner,
  createIdentityVerifier,
  createServiceClient,
  healthRoutes,
  httpPart,
  type IdentityVerifier,
  type Part,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createGatewayMetrics } from './api/gateway-metrics.ts';
import { keyRoutes } from './api/keys.routes.ts';
import { createPublicPort } from './api/public-port.ts';
import { quotaUsageRoutes } from './api/quota-usage.routes.ts';
import { type StatisticsRoutesDeps, statisticsRoutes } from './api/statistics.routes.ts';
import { tenantProfileRoutes, tenantRoutes, tenantViewRoutes } from './api/tenants.routes.ts';
import { usageRoutes } from './api/usage.routes.ts';
import { createAccessChanges } from './clients/access-changes.ts';
import { createCallSources } from './clients/call-sources.client.ts';
import { createGatewayCount } from './clients/gateway-count.ts';
import { createRateLimitStore } from './clients/rate-limit-store.ts';
import { createRequestCounts } from './clients/request-counts.ts';
import { createUpstream } from './clients/upstream.ts';
import { createUpstreamMetrics } from './clients/upstream-metrics.ts';
import type { GatewayConfig } from './config.ts';
import { apiKeyEntity } from './data/api-key.entity.ts';
import { createApiKeyRepository } from './data/api-key.repository.ts';
import { migrations } from './data/migrations/index.ts';
import { tenantEntity } from './data/tenant.entity.ts';
import { createTenantRepository, isSuspended } from './data/tenant.repository.ts';
import { createHolderLines } from './domain/holder-lines.ts';
import { createKeyCache } from './domain/key-cache.ts';
import { createKeyUsage } from './workers/key-usage.worker.ts';
import { createRequestCounter } from './workers/request-counts.worker.ts';

/** At once, so that whoever asks for a lot or reads answers slowly leaves the backends' connections to others. */
const CALLS_OF_ONE_HOLDER = 32;

export interface GatewayService {
  parts: Part[];
  api: App;
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
  const shared = createSharedLimiter(commands.redis, { timeoutMs: config.RATE_LIMIT_TIMEOUT_MS });
  const requestCounts = createRequestCounts(commands.redis);
  const requestCounter = createRequestCounter({ counts: requestCounts, logger });
  const gateways = createGatewayCount({
    redis: commands.redis,
    configured: config.GATEWAY_REPLICAS,
    logger,
  });
  const store = createRateLimitStore({
    shared,
    gateways: gateways.count,
    logger,
  });

  const upstreamOptions = {
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    holders: createHolderLines({ places: CALLS_OF_ONE_HOLDER }),
    metrics: createUpstreamMetrics(metrics),
    logger,
  };
  const upstreams = {
    scheduling: createUpstream({ name: 'scheduling', url: config.SCHEDULING_URL, ...upstreamOptions }),
    crm: createUpstream({ name: 'crm', url: config.CRM_URL, ...upstreamOptions }),
    calls: createUpstream({ name: 'calls', url: config.CALLS_URL, ...upstreamOptions }),
  };
  const callsClient = createServiceClient({ audience: 'calls', baseUrl: config.CALLS_INTERNAL_URL, signer });
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: 'gateway',
    logger,
  });
  const publisher = createPublisher({ kafka, logger, metrics });

  const api = await createPublicPort({
    ...{ config, logger, metrics, told, keys, store, signer, upstreams },
    sources: createCallSources(callsClient),
    clientAddress: createClientAddress(config.TRUSTED_PROXIES, logger),
    onUse: keyUsage.note,
    onDecided: requestCounter.note,
  });

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  await internalRoutes(internal, {
    database,
    verifier,
    shared,
    requestStatistics: { counts: requestCounts, flush: requestCounter.flush },
    announce: accessChanges.announce,
  });

  const parts: Part[] = [
    database,
    commands.part,
    subscription.part,
    accessChanges,
    gateways.part,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    keyUsage.part,
    requestCounter.part,
    createHousekeeping({ database, logger, metrics }),
    callsClient,
    ...Object.values(upstreams).map(({ part }) => part),
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
    shared: SharedLimiter;
    requestStatistics: Pick<StatisticsRoutesDeps, 'counts' | 'flush'>;
    announce: (tenantId: number) => void;
  },
): Promise<void> {
  const { database, verifier, shared, requestStatistics, announce } = deps;
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
    usageRoutes(admins, { database, shared });
    quotaUsageRoutes(admins, { database });
    statisticsRoutes(admins, { database, ...requestStatistics });
  });
}
