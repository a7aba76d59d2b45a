import rateLimit from '@fastify/rate-limit';
import { type Audience, LEAST_PACE_BYTES, OPERATIONS, type Operation } from '@frontdesk/contracts';
import { createHousekeeping } from '@frontdesk/database';
import {
  createRedis,
  createRedisCluster,
  createSharedLimiter,
  redisSettings,
  watchRedisMemory,
} from '@frontdesk/redis';
import {
  createClientAddress,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  type ServiceContext,
} from '@frontdesk/service';
import { assemble, createCaller, createWiring } from '@frontdesk/wiring';
import type { GatewayConfig } from './config.ts';
import { docsRoutes } from './docs/docs.routes.ts';
import { engineRoutes } from './engines/engines.routes.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { BODY_MEMORY, createMemoryBudget, watchBodies } from './http/body-memory.limits.ts';
import { deprecationHeaders, responseHeaders } from './http/response-headers.ts';
import { createCallSources } from './ingest/call-sources.client.ts';
import { ingestRoutes } from './ingest/ingest.routes.ts';
import { createRefusedMessages } from './ingest/refused-messages.worker.ts';
import { ACCESS_CHANGES, createAccessChanges } from './keys/access-changes.client.ts';
import { apiKeyEntity } from './keys/api-key.entity.ts';
import { countKeys, findKeyAccess, findTenantsByKeys } from './keys/api-key.repository.ts';
import { authentication, refusedMeanwhile } from './keys/authenticate.ts';
import { createKeyCache } from './keys/key.cache.ts';
import { createKeyUsage } from './keys/key-usage.worker.ts';
import { expiringKeysRoute, findKeyRoute, keyRoutes } from './keys/keys.routes.ts';
import { createAddressOf, createFailedAttempts } from './limits/failed-attempts.ts';
import { createGatewayCount } from './limits/gateway-count.worker.ts';
import { createLimiters } from './limits/limiter.ts';
import { createRateLimitMetrics } from './limits/rate-limit-metrics.ts';
import { createRateLimitStore } from './limits/rate-limit-store.client.ts';
import { tenantLimits } from './limits/tenant-limits.ts';
import { migrations } from './migrations/index.ts';
import { apiRoutes } from './proxy/api.routes.ts';
import { createUpstreams } from './proxy/upstream.client.ts';
import { createUpstreamMetrics } from './proxy/upstream-metrics.ts';
import { createPublicPort, refuseMisleadingPaths } from './public-port.ts';
import { createQuotaSettler } from './tenants/settle-quotas.worker.ts';
import { createStorageWorker } from './tenants/storage.worker.ts';
import { findStorageUses, findStoredBytes } from './tenants/stored-bytes.repository.ts';
import { tenantEntity } from './tenants/tenant.entity.ts';
import { isSuspended } from './tenants/tenant.repository.ts';
import { tenantProfileRoutes, tenantRoutes, tenantViewRoutes } from './tenants/tenants.routes.ts';
import { createRequestCounts } from './usage/request-counts.client.ts';
import { createRequestCounter } from './usage/request-counts.worker.ts';
import { statisticsRoutes } from './usage/statistics.routes.ts';
import { usageRoutes } from './usage/usage.routes.ts';

/** The services beside the gateway whose data counts against the quota of stored bytes; that of settings-ui does not. */
const KEEPERS = 4;

export async function buildGateway(
  config: GatewayConfig,
  context: ServiceContext,
  operations: readonly Operation[] = OPERATIONS,
) {
  const wiring = await createWiring({
    name: 'gateway',
    config,
    context,
    database: { entities: [tenantEntity, apiKeyEntity], migrations },
  });
  const { database, logger, metrics } = wiring;
  const { signer, clientOf } = await createCaller(wiring, 'gateway', config);
  const gatewayMetrics = createGatewayMetrics(metrics);
  const keyUsage = createKeyUsage({ database, logger });

  const redisOptions = { ...redisSettings(config), service: 'gateway', logger, metrics };
  const connect = config.REDIS_CLUSTER ? createRedisCluster : createRedis;
  const commands = connect({
    ...redisOptions,
    name: 'commands',
    keys: ['rate:{tenant:0}', 'requests:0'],
  });
  // A plain connection also in a cluster: a message that is published at one node reaches the subscribers of all.
  const subscription = createRedis({ ...redisOptions, name: 'subscription' });
  watchRedisMemory(metrics, commands.redis);
  const keys = createKeyCache({
    findMany: (keyHashes) => findKeyAccess(database.systemForRequests, keyHashes),
    lookupMs: config.DATABASE_REQUEST_MS,
    ttlMs: config.KEY_CACHE_MS,
    unknownTtlMs: config.UNKNOWN_KEY_CACHE_MS,
    onFound: gatewayMetrics.keyResolved,
  });
  gatewayMetrics.watchKeys(keys);
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
    channel: ACCESS_CHANGES,
    configured: config.GATEWAY_REPLICAS,
    logger,
  });
  const rateLimitStore = createRateLimitStore({ shared, gateways: gateways.count, logger });

  const upstreams = createUpstreams(config, { metrics: createUpstreamMetrics(metrics), logger });
  const callsClient = clientOf('calls', config.CALLS_INTERNAL_URL);

  const clientsOf = (name: Audience, url: string | undefined) => (url ? [clientOf(name, url)] : []);
  const crm = clientsOf('crm', config.CRM_INTERNAL_URL);
  const keepers = [
    callsClient,
    ...crm,
    ...clientsOf('scheduling', config.SCHEDULING_INTERNAL_URL),
    ...clientsOf('webhooks', config.WEBHOOKS_INTERNAL_URL),
  ];

  const sources = createCallSources(callsClient);
  const refusedMessages = createRefusedMessages({ sources, logger });

  const limitMetrics = createRateLimitMetrics(metrics);
  const clientAddress = createClientAddress(config.TRUSTED_PROXIES, logger);
  const addressOf = createAddressOf(clientAddress);
  const keyed = createMemoryBudget({ totalBytes: BODY_MEMORY });
  const keyless = createMemoryBudget({ totalBytes: BODY_MEMORY });
  watchBodies(metrics, [keyed, keyless]);
  const pace = { bytes: LEAST_PACE_BYTES, everyMs: config.INGEST_PACE_MS };
  const takenWithinMs = config.CLIENT_REQUEST_TIMEOUT_MS;

  // A request passes through these in the order in which they stand here, and ends in the routes of one of the last three.
  const api = createPublicPort({ config, logger, metrics, gatewayMetrics, operations });
  // The plugin's own hooks are off: they don't run for unknown paths, and its headers describe one window only.
  await api.register(rateLimit, { global: false, store: rateLimitStore.Store });
  const createLimiter = createLimiters(api, { store: rateLimitStore, metrics: limitMetrics });
  const failedAttempts = createFailedAttempts({ createLimiter, kind: 'address', addressOf });
  const failedMessages = createFailedAttempts({ createLimiter, kind: 'ingest-address', addressOf });
  await api.register(responseHeaders, { publicUrl: config.PUBLIC_URL });
  await api.register(deprecationHeaders, { operations });
  await api.register(authentication, { keys, failedAttempts, clientAddress, onUse: keyUsage.note });
  await api.register(tenantLimits, { createLimiter, onDecided: requestCounter.note });
  await api.register(refuseMisleadingPaths);
  await api.register(apiRoutes, {
    upstreams,
    operations,
    signer,
    budget: keyed,
    pace,
    takenWithinMs,
    refusedMeanwhile: (request) => refusedMeanwhile(request, { keys, clientAddress }),
  });
  await api.register(docsRoutes, {
    url: (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, ''),
    operations,
    addressOf,
    limitMetrics,
  });
  await api.register(ingestRoutes, {
    upstream: upstreams.calls,
    sources,
    createLimiter,
    ratePerMinute: config.INGEST_RATE_PER_MINUTE,
    failedAttempts: failedMessages,
    addressOf,
    budget: keyless,
    pace,
    takenWithinMs,
    onRefused: refusedMessages.note,
  });

  const { announce } = accessChanges;
  const service = assemble(wiring, {
    connections: [commands.component, subscription.component, accessChanges, gateways.component],
    running: [
      keyUsage.component,
      requestCounter.component,
      createHousekeeping(wiring),
      ...crm.map((client) => createQuotaSettler({ database, crm: client, logger })),
      ...(keepers.length === KEEPERS ? [createStorageWorker({ database, services: keepers, logger })] : []),
      // They stop in reverse order: clients after the worker that reports its last counts through them.
      ...keepers,
      refusedMessages.component,
      ...Object.values(upstreams).map(({ component }) => component),
    ],
    internal: [
      {
        roles: ['operator'],
        register(app) {
          tenantRoutes(app, { database, announce });
          findKeyRoute(app, { database });
        },
      },
      {
        roles: ['operator'],
        register: (app) =>
          quotaUsesRoute(app, async () => [
            ...(await findTenantsByKeys(database.system)),
            ...(await findStorageUses(database.system)),
          ]),
      },
      {
        roles: ['operator'],
        register: (app) => engineRoutes(app, { database, redis: commands.redis, kafka: wiring.kafka }),
      },
      { roles: ['service'], register: (app) => expiringKeysRoute(app, { database }) },
      { roles: ['operator', 'service', 'admin'], register: (app) => tenantViewRoutes(app, { database }) },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          keyRoutes(app, { database, announce, flush: keyUsage.flush });
          tenantProfileRoutes(app, { database, announce });
          usageRoutes(app, { database, shared });
          quotaUsageRoute(app, async (tenantId) => {
            const db = database.forTenant(tenantId);
            const [{ active }, stored] = await Promise.all([countKeys(db), findStoredBytes(db)]);
            return { api_keys: active, ...(stored !== null && { stored_bytes: stored }) };
          });
          statisticsRoutes(app, { database, counts: requestCounts, flush: requestCounter.flush });
        },
      },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
