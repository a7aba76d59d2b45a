import { join } from 'node:path';
import { type DomainEvent, EVENT_TYPES, IDENTITY_HEADER } from '@frontdesk/contracts';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import { createLogger, type IdentitySigner } from '@frontdesk/service';
import { request } from 'undici';
import { ensureSecretKeys } from '../../scripts/start/keys/secret-keys.ts';
import { ensureCompileCache } from '../../scripts/start/processes/compile-cache.ts';
import { eventOf, sampleAppointment } from '../../tests/support/sample-events.ts';
import { type ServiceProcess, startService } from '../../tests/support/service-process.ts';
import type { BenchEnvironment } from '../support/environment.ts';
import { type ReceiverProcess, startReceiver } from './receiver-process.ts';

/** What every part of the benchmark uses: engines, a receiver, services as they are deployed, events straight into Kafka. */
export interface Stack {
  environment: BenchEnvironment;
  /** Of services' sources. */
  compileCache: string;
  receiver: ReceiverProcess;
  /** The one webhooks process; stopped with these resources. */
  startWebhooks(resources: AsyncDisposableStack, env?: Record<string, string>): Promise<ServiceProcess>;
  /** In the order given. */
  publish(events: readonly DomainEvent[]): Promise<void>;
}

/** As an outbox relay under load would. */
const EVENTS_PER_PUBLISH = 100;

export async function startStack(
  environment: BenchEnvironment,
  resources: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Stack> {
  const compileCache = join(process.cwd(), environment.directory, 'compile-cache');
  await ensureCompileCache({
    directory: compileCache,
    repository: process.cwd(),
    services: ['webhooks', 'scheduling'],
    signal,
  });
  const secretKeysFile = environment.keys.secretKeys('webhooks');
  await ensureSecretKeys(secretKeysFile);
  const receiver = await startReceiver();
  resources.defer(receiver.stop);
  const logger = createLogger({ name: 'bench', level: 'error' });
  const kafka = createKafkaClient({
    brokers: environment.kafkaBrokers.split(','),
    prefix: environment.kafkaPrefix,
    clientId: 'bench',
    logger,
  });
  const publisher = createPublisher({ kafka, logger });
  await publisher.start();
  resources.defer(publisher.stop);

  return {
    environment,
    compileCache,
    receiver,
    async startWebhooks(resources, env = {}) {
      const service = await startService('services/webhooks/src/main.ts', {
        NODE_COMPILE_CACHE: compileCache,
        DATABASE_URL: environment.databaseUrl,
        KAFKA_BROKERS: environment.kafkaBrokers,
        KAFKA_PREFIX: environment.kafkaPrefix,
        IDENTITY_PUBLIC_KEYS_FILE: environment.keys.publicKeys,
        SECRET_KEYS_FILE: secretKeysFile,
        ALLOW_HTTP_ENDPOINTS: 'true',
        ALLOW_PRIVATE_ENDPOINTS: 'true',
        ...env,
      });
      resources.defer(async () => void (await service.stop()));
      return service;
    },
    async publish(events) {
      for (let first = 0; first < events.length; first += EVENTS_PER_PUBLISH)
        await publisher.publish(
          events.slice(first, first + EVENTS_PER_PUBLISH).map((event) => ({
            topic: EVENT_TYPES[event.type].topic,
            key: `${event.tenant_id}:${event.aggregate_id}`,
            value: JSON.stringify(event),
          })),
        );
    },
  };
}

/** New appointments of one tenant, each a record of its own, numbered from `firstId`. */
export const appointmentsOf = (tenantId: number, count: number, firstId = 1): DomainEvent[] =>
  Array.from({ length: count }, (_, n) =>
    eventOf('appointment.created', tenantId, sampleAppointment({ id: firstId + n })),
  );

/** Subscribes an address to new appointments, through the service's own API. @returns the signing secret */
export async function subscribe(
  service: ServiceProcess,
  signer: IdentitySigner,
  tenantId: number,
  url: string,
): Promise<string> {
  const answer = await request(`${service.internalUrl}/internal/tenants/${tenantId}/webhooks`, {
    method: 'POST',
    headers: {
      [IDENTITY_HEADER]: await signer.sign({ audience: 'webhooks', role: 'operator' }),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url, events: ['appointment.created'] }),
  });
  const body = (await answer.body.json()) as { data: { secret: string } };
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${JSON.stringify(body)}`);
  return body.data.secret;
}
