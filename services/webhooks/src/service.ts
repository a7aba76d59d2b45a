import type { DomainEvent } from '@frontdesk/contracts';
import {
  createConsumerProgress,
  createDatabase,
  createDeadLetters,
  createHousekeeping,
  createOutboxRelay,
  databaseSettings,
} from '@frontdesk/database';
import { eventGapRoutes, stuckEventRoutes } from '@frontdesk/database-http';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import {
  type App,
  createApp,
  createIdentityVerifier,
  createSecretBox,
  healthRoutes,
  httpPart,
  loadSecretKeys,
  type Part,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { deliveryRoutes } from './api/deliveries.routes.ts';
import { deliveryGapRoutes } from './api/delivery-gaps.routes.ts';
import { endpointActionRoutes } from './api/endpoint-actions.routes.ts';
import { endpointRoutes } from './api/endpoints.routes.ts';
import { replayRoutes } from './api/replays.routes.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { createAddressGuard } from './clients/address-guard.ts';
import type { DnsTimeouts } from './clients/dns-query.ts';
import { createNameResolver } from './clients/name-resolver.ts';
import { createReceiverClient } from './clients/receiver.client.ts';
import type { WebhooksConfig } from './config.ts';
import { eventsConsumer } from './consumers/events.consumer.ts';
import { createDeliveryCounts } from './data/delivery-counts.repository.ts';
import { createEventRepository } from './data/event.repository.ts';
import { createEndpointHealth } from './data/health.repository.ts';
import { createKnownEndpoints } from './data/known-endpoints.ts';
import { migrations } from './data/migrations/index.ts';
import { createPartitionRepository } from './data/partition.repository.ts';
import { createDeliveryQueue } from './data/queue.repository.ts';
import { WORK_SESSION_SETTINGS } from './data/session-settings.ts';
import { createRetrySchedule } from './domain/retry.ts';
import { createSigningSecrets } from './domain/signing-secrets.ts';
import { createDeliveryEngine } from './workers/delivery-engine.ts';
import { MAX_WAIT_MS } from './workers/dispatcher.ts';
import { createEndedEndpointsWorker } from './workers/ended-endpoints.worker.ts';
import { createLeaseSession } from './workers/lease-session.worker.ts';
import { createLostLeasesWorker } from './workers/lost-leases.worker.ts';
import { createReplayWorker } from './workers/replay.worker.ts';
import { createRetentionWorker } from './workers/retention.worker.ts';
import { createSecretSealer } from './workers/seal-secrets.worker.ts';
import { createSuspensionsWorker } from './workers/suspensions.worker.ts';

/** Kept beside those in use: what was connected for one delivery serves the next. */
const IDLE_CONNECTIONS = 100;

interface WebhooksService {
  parts: Part[];
  internal: App;
}

/** Time limits that tests change. Each default is beside the code that waits. */
export interface TimeoutOverrides {
  leaseSessionMs?: number;
  dns?: DnsTimeouts;
  /** Of a name, while its endpoint is created or changed. */
  lookupMs?: number;
  unsignedRetryMs?: number;
}

export async function buildWebhooks(
  config: WebhooksConfig,
  context: ServiceContext,
  timeouts: TimeoutOverrides = {},
): Promise<WebhooksService> {
  const { logger, metrics } = context;
  const database = createDatabase({
    ...databaseSettings(config),
    migrations,
    sessionSettings: WORK_SESSION_SETTINGS,
    logger,
    metrics,
  });
  // Of its own: requests that wait for a lock take none of the connections that deliveries need.
  const apiDatabase = createDatabase({
    ...databaseSettings(config),
    poolMax: config.API_DATABASE_POOL_MAX,
    migrations,
    sessionSettings: {},
    logger,
    metrics,
  });
  const verifier = await createIdentityVerifier({
    audience: 'webhooks',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });
  const secrets = createSigningSecrets(createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE)));

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
  const queue = createDeliveryQueue({ database, leaseMs });
  const session = createLeaseSession({
    url: config.DATABASE_URL,
    onWake: () => engine.wake(),
    onEndpointChanged: (endpointId) => engine.forget(endpointId),
    timeoutMs: timeouts.leaseSessionMs,
    logger,
  });
  const counts = createDeliveryCounts(database);
  const engine = createDeliveryEngine({
    queue,
    health: createEndpointHealth(database),
    counts,
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
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: 'webhooks',
    logger,
  });
  const onWaiting = () => {
    engine.wake();
    session.announce();
  };
  const publisher = createPublisher({ kafka, logger, metrics });
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
    events: createEventRepository(database),
    endpoints: createKnownEndpoints(database),
    preLeases: engine,
    onWaiting,
  };
  const deadLetters = createDeadLetters({ database, metrics });
  const progress = createConsumerProgress(database);
  const consumer = eventsConsumer({ kafka, intake, deadLetters, progress }, context);
  const directory = createTenantDirectory({ database, gateway: null });
  const tenants = {
    async apply(changes: DomainEvent[]) {
      await directory.apply(changes);
      suspensions.wake();
    },
  };
  const consumers = [
    consumer,
    tenantsConsumer({ tenants, kafka, deadLetters, progress, service: 'webhooks' }, context),
  ];

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator', 'admin'] });
    refuseSuspended(guarded, isSuspended(apiDatabase));
    endpointRoutes(guarded, {
      database: apiDatabase,
      secrets,
      onWaiting,
      rules,
      guard,
      lookupMs: timeouts.lookupMs,
    });
    endpointActionRoutes(guarded, { database: apiDatabase, secrets, onWaiting });
    deliveryRoutes(guarded, { database: apiDatabase, onWaiting });
    deliveryGapRoutes(guarded, {
      database: apiDatabase,
      nameOf: kafka.nameOf,
      retentionDays: config.RETENTION_DAYS,
    });
    statisticsRoutes(guarded, { database: apiDatabase });
    replayRoutes(guarded, {
      database: apiDatabase,
      retentionDays: config.RETENTION_DAYS,
      onBegun: () => replays.wake(),
    });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    stuckEventRoutes(guarded, { database: apiDatabase, consumers });
    eventGapRoutes(guarded, { database: apiDatabase });
  });

  const parts: Part[] = [
    database,
    apiDatabase,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    createHousekeeping({ database, logger, metrics }),
    resolver,
    // Mostly done before anything is claimed: what a killed process held has waited longer.
    createLostLeasesWorker({ queue, onFreed: onWaiting, logger }),
    session,
    createRetentionWorker({
      partitions: createPartitionRepository(database),
      counts,
      retentionDays: config.RETENTION_DAYS,
      logger,
      metrics,
    }),
    createSecretSealer({ database, secrets, sealAfterMs: config.SEAL_AFTER_MS, logger }),
    engine,
    createEndedEndpointsWorker({ database, logger }),
    replays,
    suspensions,
    ...consumers,
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
  ];
  return { parts, internal };
}
