import { assemble, createChassis } from '@frontdesk/chassis';
import type { DomainEvent } from '@frontdesk/contracts';
import { createDatabase, createHousekeeping, databaseSettings } from '@frontdesk/database';
import {
  createApp,
  createSecretBox,
  loadSecretKeys,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { deliveryRoutes } from './api/deliveries.routes.ts';
import { deliveryGapRoutes } from './api/delivery-gaps.routes.ts';
import { endpointRoutes } from './api/endpoints.routes.ts';
import { failingEndpointRoutes } from './api/failing-endpoints.routes.ts';
import { feedRoutes } from './api/feed.routes.ts';
import { replayRoutes } from './api/replays.routes.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { createAddressGuard } from './clients/address-guard.ts';
import type { DnsTimeouts } from './clients/dns-query.ts';
import { createNameResolver } from './clients/name-resolver.ts';
import { createReceiverClient } from './clients/receiver.client.ts';
import type { WebhooksConfig } from './config.ts';
import { eventsConsumer } from './consumers/events.consumer.ts';
import { endpointEntity } from './data/endpoint.entity.ts';
import { listActiveEndpoints } from './data/endpoint.repository.ts';
import { migrations } from './data/migrations/index.ts';
import { replayEntity } from './data/replay.entity.ts';
import { WORK_SESSION_SETTINGS } from './data/session-settings.ts';
import { createRetrySchedule } from './domain/retry.ts';
import { createKnownEndpoints } from './state/known-endpoints.ts';
import { createSigningSecrets } from './state/signing-secrets.ts';
import { createSettledFeed } from './use-cases/settle-feed.ts';
import { createDeliveryEngine } from './workers/delivery-engine.ts';
import { MAX_WAIT_MS } from './workers/dispatcher.ts';
import { createEndedEndpointsWorker } from './workers/ended-endpoints.worker.ts';
import { createFeedWorker } from './workers/feed.worker.ts';
import { createLeaseSession } from './workers/lease-session.worker.ts';
import { createLostLeasesWorker } from './workers/lost-leases.worker.ts';
import { createReplayWorker } from './workers/replay.worker.ts';
import { createRetentionWorker } from './workers/retention.worker.ts';
import { createSecretSealer } from './workers/seal-secrets.worker.ts';
import { createSuspensionsWorker } from './workers/suspensions.worker.ts';

/** Kept beside those in use: what was connected for one delivery serves the next. */
const IDLE_CONNECTIONS = 100;

/** Time limits that tests change. Each default is beside the code that waits. */
export interface TimeoutOverrides {
  dns?: DnsTimeouts;
  /** Of a name, while its endpoint is created or changed. */
  lookupMs?: number;
  unsignedRetryMs?: number;
}

export async function buildWebhooks(
  config: WebhooksConfig,
  context: ServiceContext,
  timeouts: TimeoutOverrides = {},
) {
  const chassis = await createChassis({
    name: 'webhooks',
    config,
    context,
    database: { migrations, sessionSettings: WORK_SESSION_SETTINGS },
  });
  const { database, kafka, verifier, logger, metrics } = chassis;
  // Of its own: requests that wait for a lock take none of the connections that deliveries need. It alone has entities: work is statements.
  const apiDatabase = createDatabase({
    ...databaseSettings(config),
    poolMax: config.API_DATABASE_POOL_MAX,
    entities: [endpointEntity, replayEntity],
    migrations,
    sessionSettings: {},
    logger,
    metrics,
  });
  const secrets = createSigningSecrets(createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE)));

  const { RETENTION_DAYS: retentionDays } = config;
  const rules = {
    allowHttp: config.ALLOW_HTTP_ENDPOINTS,
    allowPrivate: config.ALLOW_PRIVATE_ENDPOINTS,
    ports: config.ENDPOINT_PORTS,
  };
  const resolver = createNameResolver({
    servers: config.DNS_SERVERS,
    readsHostsFile: rules.allowPrivate,
    timeouts: timeouts.dns,
  });
  const guard = createAddressGuard({ rules, resolver });
  const leaseMs = MAX_WAIT_MS + config.DELIVERY_TIMEOUT_MS + config.LEASE_MARGIN_MS;
  const session = createLeaseSession({
    url: database.url,
    Client: database.Client,
    onWake: () => engine.wake(),
    onLost: () => engine.leasesLost(),
    onEndpointChanged: (endpointId) => engine.forget(endpointId),
    timeoutMs: config.LEASE_SESSION_TIMEOUT_MS,
    logger,
  });
  metrics.watchConnection('postgresql', 'leases', () => session.owner() !== null);
  const engine = createDeliveryEngine({
    database,
    receiver: createReceiverClient({
      timeoutMs: config.DELIVERY_TIMEOUT_MS,
      // Endpoints of one origin may be of several tenants: none takes another's connections.
      connections: config.DELIVERY_CONCURRENCY,
      keepUpTo: config.DELIVERY_CONCURRENCY + IDLE_CONNECTIONS,
      guard,
    }),
    secrets,
    schedule: createRetrySchedule(config.RETRY_DELAYS_SECONDS),
    limits: {
      total: config.DELIVERY_CONCURRENCY,
      perTenant: config.TENANT_CONCURRENCY,
      perEndpoint: config.ENDPOINT_CONCURRENCY,
    },
    owner: () => session.owner(),
    leaseMs,
    unsignedRetryMs: timeouts.unsignedRetryMs,
    logger,
    metrics,
  });
  const onWaiting = () => {
    engine.wake();
    session.announce();
  };
  const replays = createReplayWorker({
    database,
    perSecond: config.REPLAYS_PER_SECOND,
    onQueued: onWaiting,
    logger,
  });

  const suspensions = createSuspensionsWorker({
    database,
    perSecond: config.REPLAYS_PER_SECOND,
    onReleased: onWaiting,
    logger,
  });

  const intake = {
    system: database.system,
    endpoints: createKnownEndpoints((tenantIds) => listActiveEndpoints(database.system, tenantIds)),
    preLeases: engine,
    onWaiting,
  };
  const directory = createTenantDirectory({ database, gateway: null });
  const tenants = {
    async apply(changes: DomainEvent[]) {
      await directory.apply(changes);
      suspensions.wake();
    },
  };
  const consumers = [eventsConsumer(intake, chassis), tenantsConsumer(tenants, chassis)];

  const settled = createSettledFeed(apiDatabase.system);
  const feed = createFeedWorker({ system: apiDatabase.system, settled, logger });
  const api = createApp(context);
  // The port closes once all requests are answered.
  api.addHook('preClose', async () => feed.endWaits());
  requireIdentity(api, { verifier, roles: ['integrator'] });
  feedRoutes(api, {
    ...{ database: apiDatabase, waitForNews: feed.wait, nextTurn: feed.nextTurn, retentionDays, settled },
  });

  const service = assemble(chassis, {
    connections: [apiDatabase],
    consumers,
    running: [
      createHousekeeping(chassis),
      resolver,
      // Mostly done before anything is claimed: what a killed process held has waited longer.
      createLostLeasesWorker({ system: database.system, onFreed: onWaiting, logger }),
      session,
      createRetentionWorker({
        ...{ system: database.system, retentionDays, logger, metrics },
      }),
      createSecretSealer({ database, secrets, sealAfterMs: config.SEAL_AFTER_MS, logger }),
      engine,
      createEndedEndpointsWorker({ database, logger }),
      replays,
      suspensions,
      feed,
      ...consumers,
    ],
    internal: [
      {
        roles: ['operator'],
        register: (app) => failingEndpointRoutes(app, { database: apiDatabase }),
      },
      {
        roles: ['operator', 'admin'],
        register(app) {
          const deps = { database: apiDatabase, secrets, settled, onWaiting };
          refuseSuspended(app, isSuspended(apiDatabase));
          endpointRoutes(app, { ...deps, rules, guard, lookupMs: timeouts.lookupMs });
          deliveryRoutes(app, deps);
          deliveryGapRoutes(app, { ...deps, nameOf: kafka.nameOf, retentionDays });
          statisticsRoutes(app, deps);
          replayRoutes(app, { ...deps, retentionDays, onBegun: () => replays.wake() });
        },
      },
    ],
    requestDatabase: apiDatabase,
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
