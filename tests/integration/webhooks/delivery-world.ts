import type { DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import { createDatabase } from '@frontdesk/database';
import { createMetrics } from '@frontdesk/service';
import { createReceiverClient } from '../../../services/webhooks/src/clients/receiver.client.ts';
import { createDeliveryRepository } from '../../../services/webhooks/src/data/delivery.repository.ts';
import { createEndpointRepository } from '../../../services/webhooks/src/data/endpoint.repository.ts';
import { createEventRepository } from '../../../services/webhooks/src/data/event.repository.ts';
import { migrations } from '../../../services/webhooks/src/data/migrations/index.ts';
import { createDeliveryQueue } from '../../../services/webhooks/src/data/queue.repository.ts';
import { createRetrySchedule } from '../../../services/webhooks/src/domain/retry.ts';
import { generateSecret } from '../../../services/webhooks/src/domain/signature.ts';
import { createDeliveryEngine } from '../../../services/webhooks/src/workers/delivery.worker.ts';
import { createTestDatabase, logger } from '../../support/index.ts';
import { startGuard } from './guard.ts';

export type DeliveryWorld = Awaited<ReturnType<typeof startDeliveryWorld>>;

/** A database of its own and, on it, as many delivery engines as a test starts. Events enter without Kafka. */
export async function startDeliveryWorld() {
  const { url, drop } = await createTestDatabase(migrations, 'webhooks');
  const database = createDatabase({ url, poolMax: 8, migrations, logger });
  await database.start();
  const endpoints = createEndpointRepository(database);
  const events = createEventRepository(database);
  const log = createDeliveryRepository(database);
  const stops: (() => Promise<void>)[] = [];

  return {
    url,
    endpoints,
    log,
    queue: (leaseMs: number) => createDeliveryQueue({ database, leaseMs }),
    receive: (...received: DomainEvent[]) => events.receive(received),
    subscribe: (tenantId: number, url: string, names: WebhookEventName[] = ['appointment.created']) =>
      endpoints.insert(tenantId, { url, events: names, secret: generateSecret() }),
    /** The tenant's newest delivery, with its attempts. */
    async latest(tenantId: number) {
      const { rows } = await log.page(tenantId, { page: 1, per_page: 1 });
      const delivery = await log.find(tenantId, rows[0]?.id ?? 0);
      if (!delivery) throw new Error('There is no delivery.');
      return delivery;
    },
    /** Retries come after a tenth of a second each and any address is allowed, unless told otherwise. */
    async startEngine({
      retryDelaysSeconds = [0.1, 0.1],
      timeoutMs = 5_000,
      leaseMarginMs = 5_000,
      concurrency = 200,
      endpointConcurrency = 8,
      guard = startGuard({ allowPrivate: true }).guard,
    } = {}) {
      const metrics = createMetrics();
      const engine = createDeliveryEngine({
        queue: createDeliveryQueue({ database, leaseMs: timeoutMs + leaseMarginMs }),
        receiver: createReceiverClient({ timeoutMs, connections: concurrency, guard }),
        schedule: createRetrySchedule(retryDelaysSeconds),
        concurrency,
        endpointConcurrency,
        logger,
        metrics,
      });
      await engine.start();
      stops.push(() => engine.stop());
      return { engine, metrics };
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await database.stop();
      await drop();
    },
  };
}
