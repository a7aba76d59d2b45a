import { assemble, createChassis } from '@frontdesk/chassis';
import { MAX_FEED_WAIT_SECONDS, OPERATIONS, type Operation } from '@frontdesk/contracts';
import { createHousekeeping } from '@frontdesk/database';
import { createRedis, createSharedLimiter, redisSettings } from '@frontdesk/redis';
import {
  createClientAddress,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  type ServiceContext,
} from '@frontdesk/service';
import { engineRoutes } from './api/engines.routes.ts';
import { createGatewayMetrics } from './api/gateway-metrics.ts';
import { keyRoutes } from './api/keys.routes.ts';
import { createPublicPort } from './api/public-port.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { tenantProfileRoutes, tenantRoutes, tenantViewRoutes } from './api/tenants.routes.ts';
import { usageRoutes } from './api/usage.routes.ts';
import { createAccessChanges } from './clients/access-changes.ts';
import { createCallSources } from './clients/call-sources.client.ts';
import { createGatewayCount } from './clients/gateway-count.ts';
import { createRateLimitStore } from './clients/rate-limit-store.ts';
import { createRequestCounts } from './clients/request-counts.ts';
import { createUpstream, MAX_WAITING } from './clients/upstream.ts';
import { createUpstreamMetrics } from './clients/upstream-metrics.ts';
import type { GatewayConfig } from './config.ts';
import { apiKeyEntity } from './data/api-key.entity.ts';
import { countKeys, findKeyAccess, findTenantsByKeys } from './data/api-key.repository.ts';
import { migrations } from './data/migrations/index.ts';
import { tenantEntity } from './data/tenant.entity.ts';
import { isSuspended } from './data/tenant.repository.ts';
import { createHolderLines } from './state/holder-lines.ts';
import { createKeyCache } from './state/key-cache.ts';
import { createKeyUsage } from './workers/key-usage.worker.ts';
import { createRequestCounter } from './workers/request-counts.worker.ts';

export async function buildGateway(
  config: GatewayConfig,
  context: ServiceContext,
  operations: readonly Operation[] = OPERATIONS,
) {
  const chassis = await createChassis({
    name: 'gateway',
    config,
    context,
    database: { entities: [tenantEntity, apiKeyEntity], migrations },
  });
  const { database, signer, logger, metrics } = chassis;
  const gatewayMetrics = createGatewayMetrics(metrics);
  const keyUsage = createKeyUsage({ database, logger });

  const redisOptions = { ...redisSettings(config), service: 'gateway', logger, metrics };
  const commands = createRedis({
    ...redisOptions,
    name: 'commands',
    keys: ['rate:{tenant:0}', 'requests:0'],
  });
  const subscription = createRedis({ ...redisOptions, name: 'subscription' });
  const keys = createKeyCache({
    findMany: (keyHashes) => findKeyAccess(database.system, keyHashes),
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
    holders: createHolderLines(),
    metrics: createUpstreamMetrics(metrics),
    logger,
  };
  const upstreams = {
    scheduling: createUpstream({ name: 'scheduling', url: config.SCHEDULING_URL, ...upstreamOptions }),
    crm: createUpstream({ name: 'crm', url: config.CRM_URL, ...upstreamOptions }),
    calls: createUpstream({ name: 'calls', url: config.CALLS_URL, ...upstreamOptions }),
    webhooks: createUpstream({
      ...upstreamOptions,
      ...{ name: 'webhooks', url: config.WEBHOOKS_URL },
      // The feed's requests wait for events: longer than any other, in places of their own, and in line behind nobody.
      timeoutMs: config.UPSTREAM_TIMEOUT_MS + MAX_FEED_WAIT_SECONDS * 1_000,
      holders: createHolderLines(),
      connections: MAX_WAITING,
    }),
  };
  const callsClient = chassis.clientOf('calls', config.CALLS_INTERNAL_URL);

  const api = await createPublicPort({
    ...{ config, logger, metrics, gatewayMetrics, keys, store, signer, upstreams, operations },
    sources: createCallSources(callsClient),
    clientAddress: createClientAddress(config.TRUSTED_PROXIES, logger),
    onUse: keyUsage.note,
    onDecided: requestCounter.note,
  });

  const { announce } = accessChanges;
  const service = assemble(chassis, {
    connections: [commands.component, subscription.component, accessChanges, gateways.component],
    running: [
      keyUsage.component,
      requestCounter.component,
      createHousekeeping(chassis),
      callsClient,
      ...Object.values(upstreams).map(({ component }) => component),
    ],
    internal: [
      { roles: ['operator'], register: (app) => tenantRoutes(app, { database, announce }) },
      {
        roles: ['operator'],
        register: (app) => quotaUsesRoute(app, () => findTenantsByKeys(database.system)),
      },
      {
        roles: ['operator'],
        register: (app) => engineRoutes(app, { database, redis: commands.redis, kafka: chassis.kafka }),
      },
      { roles: ['operator', 'service', 'admin'], register: (app) => tenantViewRoutes(app, { database }) },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          keyRoutes(app, { database, announce });
          tenantProfileRoutes(app, { database, announce });
          usageRoutes(app, { database, shared });
          quotaUsageRoute(app, async (tenantId) => ({
            api_keys: (await countKeys(database.forTenant(tenantId))).active,
          }));
          statisticsRoutes(app, { database, counts: requestCounts, flush: requestCounter.flush });
        },
      },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
