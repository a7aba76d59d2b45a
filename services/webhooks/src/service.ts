import { createDatabase } from '@frontdesk/database';
import { createKafkaClient } from '@frontdesk/events';
import {
  type App,
  createApp,
  createIdentityVerifier,
  healthRoutes,
  httpPart,
  type Part,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { deliveryRoutes } from './api/deliveries.routes.ts';
import { endpointRoutes } from './api/endpoints.routes.ts';
import { createAddressGuard } from './clients/address-guard.ts';
import { createNameResolver } from './clients/name-resolver.ts';
import { createReceiverClient } from './clients/receiver.client.ts';
import type { WebhooksConfig } from './config.ts';
import { eventsConsumer } from './consumers/events.consumer.ts';
import { createDeliveryRepository } from './data/delivery.repository.ts';
import { createEndpointRepository } from './data/endpoint.repository.ts';
import { createEventRepository } from './data/event.repository.ts';
import { migrations } from './data/migrations/index.ts';
import { createDeliveryQueue } from './data/queue.repository.ts';
import { createWakeChannel } from './data/wake-channel.ts';
import { createRetrySchedule } from './domain/retry.ts';
import { createDeliveryEngine } from './workers/delivery.worker.ts';

interface WebhooksService {
  parts: Part[];
  internal: App;
}

export async function buildWebhooks(
  config: WebhooksConfig,
  context: ServiceContext,
): Promise<WebhooksService> {
  const { logger, metrics } = context;
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_MAX,
    migrations,
    logger,
  });
  const verifier = await createIdentityVerifier({
    audience: 'webhooks',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });

  const rules = {
    allowHttp: config.ALLOW_HTTP_ENDPOINTS,
    allowPrivate: config.ALLOW_PRIVATE_ENDPOINTS,
    ports: config.ENDPOINT_PORTS,
  };
  const resolver = createNameResolver({ servers: config.DNS_SERVERS, readsHostsFile: rules.allowPrivate });
  const guard = createAddressGuard({ rules, resolver });
  const engine = createDeliveryEngine({
    queue: createDeliveryQueue({
      database,
      leaseMs: config.DELIVERY_TIMEOUT_MS + config.LEASE_MARGIN_MS,
    }),
    receiver: createReceiverClient({
      timeoutMs: config.DELIVERY_TIMEOUT_MS,
      connections: config.DELIVERY_CONCURRENCY,
      guard,
    }),
    schedule: createRetrySchedule(config.RETRY_DELAYS_SECONDS),
    concurrency: config.DELIVERY_CONCURRENCY,
    endpointConcurrency: config.ENDPOINT_CONCURRENCY,
    logger,
    metrics,
  });
  const wakeChannel = createWakeChannel({ url: config.DATABASE_URL, onWake: () => engine.wake(), logger });
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: 'webhooks',
    logger,
  });
  const onReceived = () => {
    engine.wake();
    wakeChannel.announce();
  };

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator', 'admin'] });
    endpointRoutes(guarded, {
      endpoints: createEndpointRepository(database),
      rules,
      guard,
    });
    deliveryRoutes(guarded, { deliveries: createDeliveryRepository(database) });
  });

  const parts: Part[] = [
    database,
    resolver,
    wakeChannel,
    eventsConsumer({ kafka, events: createEventRepository(database), onReceived }, context),
    engine,
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
  ];
  return { parts, internal };
}
