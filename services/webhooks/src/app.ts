import type { DomainEvent } from '@frontdesk/contracts';
import { createDatabase, createHousekeeping, databaseSettings } from '@frontdesk/database';
import {
  createApp,
  createSecretBox,
  createSecretSealer,
  loadSecretKeys,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { assemble, createWiring } from '@frontdesk/wiring';
import type { WebhooksConfig } from './config.ts';
import { webhookDeliveryRoutes } from './deliveries/deliveries.routes.ts';
import { deliveryRoutes } from './deliveries/deliveries-admin.routes.ts';
import { deliveryGapRoutes } from './deliveries/delivery-gaps.routes.ts';
import { statisticsRoutes } from './deliveries/statistics.routes.ts';
import { createEndedEndpointsWorker } from './endpoints/ended-endpoints.worker.ts';
import { endpointEntity } from './endpoints/endpoint.entity.ts';
import { listActiveEndpoints } from './endpoints/endpoint.repository.ts';
import { webhookRoutes } from './endpoints/endpoints.routes.ts';
import { endpointRoutes } from './endpoints/endpoints-admin.routes.ts';
import { failingEndpointRoutes } from './endpoints/failing-endpoints.routes.ts';
import { eventsConsumer } from './events/events.consumer.ts';
import { createKnownEndpoints } from './events/known-endpoints.cache.ts';
import { feedRoutes } from './feed/feed.routes.ts';
import { createFeedWorker } from './feed/feed.worker.ts';
import { createSettledFeed } from './feed/settle-feed.ts';
import { migrations } from './migrations/index.ts';
import { WORK_SESSION_SETTINGS } from './queue/postgres-settings.rules.ts';
import { createRetrySchedule } from './queue/retry.rules.ts';
import { createAddressGuard } from './receivers/address-guard.client.ts';
import type { DnsTimeouts } from './receivers/dns-query.client.ts';
import { createNameResolver } from './receivers/name-resolver.client.ts';
import { createReceiverClient } from './receivers/receiver.client.ts';
import { replayEntity } from './replays/replay.entity.ts';
import { replayRoutes } from './replays/replays.routes.ts';
import { createWalkWorker } from './replays/walk.worker.ts';
import { createRetentionWorker } from './retention/retention.worker.ts';
import { sealSecrets } from './secrets/seal-secrets.ts';
import { createSigningSecrets } from './secrets/signing-secrets.cache.ts';
import { createDeliveryEngine } from './sending/delivery-engine.ts';
import { createLeaseSession } from './sending/lease-session.worker.ts';
import { createLostLeasesWorker } from './sending/lost-leases.worker.ts';
import { createSuspensionsWorker } from './suspensions/suspensions.worker.ts';

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
  const wiring = await createWiring({
    name: 'webhooks',
    config,
    context,
    database: { migrations, sessionSettings: WORK_SESSION_SETTINGS },
  });
  const { database, kafka, verifier, logger, metrics } = wiring;
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
  const leaseMs = config.DELIVERY_TIMEOUT_MS + config.LEASE_MARGIN_MS;
  const session = createLeaseSession({
    url: database.url,
    Client: database.Client,
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
    owner: session.owner,
    announce: session.announce,
    leaseMs,
    unsignedRetryMs: timeouts.unsignedRetryMs,
    logger,
    metrics,
  });
  session.listen(engine);
  const onQueued = engine.queued;
  const walking = { database, perSecond: config.REPLAYS_PER_SECOND, onQueued, logger };
  const replays = createWalkWorker('replays', walking);
  const releases = createWalkWorker('releases', walking);
  const suspensions = createSuspensionsWorker({ database, onParked: releases.wake, logger });

  const intake = {
    system: database.system,
    endpoints: createKnownEndpoints((tenantIds) => listActiveEndpoints(database.system, tenantIds)),
    onQueued,
  };
  const directory = createTenantDirectory({ database, gateway: null });
  const tenants = {
    async apply(changes: DomainEvent[]) {
      await directory.apply(changes);
      suspensions.wake();
    },
  };
  const consumers = [eventsConsumer(intake, wiring), tenantsConsumer(tenants, wiring)];

  const settled = createSettledFeed(apiDatabase.system);
  const feed = createFeedWorker({ system: apiDatabase.system, settled, logger });
  const api = createApp(context);
  // The port closes once all requests are answered.
  api.addHook('preClose', async () => feed.endWaits());
  requireIdentity(api, { verifier, roles: ['integrator'] });
  feedRoutes(api, {
    database: apiDatabase,
    waitForNews: feed.wait,
    nextRequestNumber: feed.nextRequestNumber,
    retentionDays,
    settled,
  });
  const requestDeps = { database: apiDatabase, secrets, settled, onQueued };
  const endpointDeps = { ...requestDeps, rules, guard, lookupMs: timeouts.lookupMs };
  webhookRoutes(api, endpointDeps);
  webhookDeliveryRoutes(api, requestDeps);

  const service = assemble(wiring, {
    connections: [apiDatabase],
    consumers,
    running: [
      createHousekeeping(wiring),
      resolver,
      // Mostly done before anything is claimed: what a killed process held has waited longer.
      createLostLeasesWorker({ system: database.system, onQueued, logger }),
      session,
      createRetentionWorker({
        system: database.system,
        retentionDays,
        logger,
        metrics,
      }),
      createSecretSealer({
        secrets: 'signing secrets',
        box: secrets,
        seal: () => sealSecrets(database.system, secrets),
        sealAfterMs: config.SEAL_AFTER_MS,
        logger,
      }),
      engine,
      createEndedEndpointsWorker({ database, logger }),
      replays,
      releases,
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
          refuseSuspended(app, isSuspended(apiDatabase));
          endpointRoutes(app, endpointDeps);
          deliveryRoutes(app, requestDeps);
          deliveryGapRoutes(app, { ...requestDeps, nameOf: kafka.nameOf, retentionDays });
          statisticsRoutes(app, requestDeps);
          replayRoutes(app, { ...requestDeps, retentionDays, onBegun: () => replays.wake() });
        },
      },
    ],
    requestDatabase: apiDatabase,
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
