import { randomUUID } from 'node:crypto';
import {
  type DomainEvent,
  EVENT_TYPES,
  type EventEnvelope,
  IDENTITY_HEADER,
  type Role,
  type Topic,
} from '@frontdesk/contracts';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import { createLogger, createMetrics, loadConfig, startParts } from '@frontdesk/service';
import { configSchema } from '../../../services/webhooks/src/config.ts';
import { migrations } from '../../../services/webhooks/src/data/migrations/index.ts';
import { buildWebhooks } from '../../../services/webhooks/src/service.ts';
import { createTestDatabase, engines, identityKeys } from '../../support/index.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

export type RunningWebhooks = Awaited<ReturnType<typeof startWebhooks>>;

/** The whole service on a database and topics of its own, and a publisher beside it. */
export async function startWebhooks() {
  const { url, drop } = await createTestDatabase([...migrations], 'webhooks');
  const keys = identityKeys();
  const prefix = `${randomUUID()}.`;
  const config = loadConfig(configSchema, {
    INTERNAL_PORT: '0',
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    IDENTITY_PRIVATE_KEY_FILE: keys.privateKeyFile('webhooks'),
    DATABASE_URL: url,
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: prefix,
    ALLOW_HTTP_ENDPOINTS: 'true',
    RETRY_DELAYS_SECONDS: '0.1,0.1',
  });
  const metrics = createMetrics();
  const { parts, internal } = await buildWebhooks(config, { logger, metrics });
  const kafka = createKafkaClient({ brokers: config.KAFKA_BROKERS, prefix, clientId: 'test', logger });
  const publisher = createPublisher({ kafka, logger, metrics: createMetrics() });
  const running = await startParts([publisher, ...parts], logger);
  const issuerOf: Record<Role, string> = {
    integrator: 'gateway',
    admin: 'settings-ui',
    operator: 'operator',
    service: 'crm',
  };

  return {
    parts,
    publish: (...events: DomainEvent[]) =>
      publisher.publish(events.map((event) => recordOf(EVENT_TYPES[event.type].topic, event))),
    /** Whatever the type, known or not. */
    publishRaw: (topic: Topic, event: EventEnvelope) => publisher.publish([recordOf(topic, event)]),
    /** A request to the internal API as this role. */
    async request(options: {
      method?: 'GET' | 'POST' | 'DELETE';
      path: string;
      body?: object;
      role?: Role | null;
      tenantId?: number;
    }) {
      const { method = 'GET', path, body, role = 'operator', tenantId } = options;
      const signer = role && (await keys.signer(issuerOf[role]));
      const token = signer && role && (await signer.sign({ audience: 'webhooks', role, tenantId }));
      const response = await internal.inject({
        method,
        url: path,
        ...(body ? { payload: body } : {}),
        headers: token ? { [IDENTITY_HEADER]: token } : {},
      });
      return { status: response.statusCode, body: response.json() };
    },
    async stop() {
      await running.stop();
      await removeTopics(kafka, prefix);
      await drop();
    },
  };
}

function recordOf(topic: Topic, event: DomainEvent | EventEnvelope) {
  return { topic, key: `${event.tenant_id}:${event.aggregate_id}`, value: JSON.stringify(event) };
}

async function removeTopics(kafka: ReturnType<typeof createKafkaClient>, prefix: string) {
  const admin = kafka.admin();
  await admin.connect();
  const names = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
  await admin.deleteTopics({ topics: names });
  await admin.disconnect();
}
