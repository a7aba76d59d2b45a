import type { AddressInfo } from 'node:net';
import type { DomainEvent, EventEnvelope, Issuer, Role, Scope, Topic } from '@frontdesk/contracts';
import { createDatabase } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import { createMetrics, loadConfig, startComponents } from '@frontdesk/service';
import { buildWebhooks, type TimeoutOverrides } from '../../../services/webhooks/src/app.ts';
import { configSchema } from '../../../services/webhooks/src/config.ts';
import { migrations } from '../../../services/webhooks/src/migrations/index.ts';
import {
  createTestDatabase,
  createTopics,
  engines,
  eventually,
  type InjectedRequest,
  identityKeys,
  kafkaClient,
  logger,
  operator,
  PATIENT_BOUNDS,
  patientUrl,
  recordOf,
  recordOn,
  removeTopics,
  signedRequests,
  uniquePrefix,
  uniqueTenantId,
} from '../../support/index.ts';
import { PATIENT } from './guard.ts';

export type RunningWebhooks = Awaited<ReturnType<typeof startWebhooks>>;

const ON_KAFKA = /^(publisher|outbox relay|consumer .+)$/;
/** Longer than any test: a slow machine is no outage. */
const LONG_MS = 600_000;
const UNSIGNED_RETRY_MS = 500;

/** Someone who may vouch for each role. */
const ISSUER_OF: Record<Role, Issuer> = {
  integrator: 'gateway',
  admin: 'settings-ui',
  operator: 'operator',
  service: 'crm',
};

const TIMEOUTS: TimeoutOverrides = {
  dns: PATIENT,
  lookupMs: LONG_MS,
  unsignedRetryMs: UNSIGNED_RETRY_MS,
};

/**
 * The whole service on a database and topics of its own, and a publisher beside it. `env` goes before its defaults here. `over`:
 * on those of a world whose service was stopped. Where `hasEvents` is false, all but the way to and from Kafka.
 */
export async function startWebhooks(
  env: Record<string, string> = {},
  over?: { databaseUrl: string; kafkaPrefix: string },
  { timeouts = TIMEOUTS, hasEvents = true } = {},
) {
  const { url, drop } = over
    ? { url: over.databaseUrl, drop: async () => {} }
    : await createTestDatabase(migrations, 'webhooks');
  const keys = identityKeys();
  const prefix = over?.kafkaPrefix ?? (hasEvents ? await createTopics() : uniquePrefix());
  const config = loadConfig(configSchema, {
    PORT: '0',
    INTERNAL_PORT: '0',
    IDENTITY_PUBLIC_KEYS_FILE: keys.publicKeysFile,
    SECRET_KEYS_FILE: keys.secretKeysFile,
    DATABASE_URL: patientUrl(url),
    DATABASE_WAIT_MS: String(LONG_MS),
    DATABASE_REQUEST_MS: String(LONG_MS),
    DATABASE_TENANT_WAIT_MS: String(LONG_MS),
    KAFKA_BROKERS: engines().kafkaBrokers,
    KAFKA_PREFIX: prefix,
    ALLOW_HTTP_ENDPOINTS: 'true',
    ALLOW_PRIVATE_ENDPOINTS: 'true',
    RETRY_DELAYS_SECONDS: '0.1,0.1',
    DELIVERY_TIMEOUT_MS: String(LONG_MS),
    LEASE_SESSION_TIMEOUT_MS: String(LONG_MS),
    ...env,
  });
  const { components, internal, api } = await buildWebhooks(
    config,
    { logger, metrics: createMetrics() },
    timeouts,
  );
  const publisher = createPublisher({ kafka: kafkaClient(prefix), logger });
  const needed = hasEvents
    ? [publisher, ...components]
    : components.filter(({ name }) => !ON_KAFKA.test(name));
  const running = await startComponents(needed, logger);
  let stopped: Promise<void> | undefined;
  const stopService = () => {
    stopped ??= running.stop();
    return stopped;
  };
  const { send } = signedRequests('webhooks');
  const database = createDatabase({ url, migrations, logger, bounds: PATIENT_BOUNDS });
  await database.start();
  const feed = (tenantId: number, query = '', keyId = tenantId, scopes?: readonly Scope[]) =>
    send(
      api,
      { issuer: 'gateway', role: 'integrator', tenantId, keyId, scopes },
      { method: 'GET', url: `/api/v1/events${query}` },
    );
  // What is written at the start may hold it back; a place that it has reached stays.
  await eventually(async () => expect((await feed(uniqueTenantId())).status).toBe(200));

  return {
    /** The service's own, for what no route shows or does. */
    database,
    databaseUrl: url,
    kafkaPrefix: prefix,
    kafka: kafkaClient(prefix),
    /** Where its internal port is. */
    internalUrl: `http://127.0.0.1:${(internal.server.address() as AddressInfo).port}`,
    /** Where its public port is. */
    apiUrl: `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`,
    /** Requests to a tenant's webhooks by the operator; the path begins behind them. */
    asOperator:
      (tenantId: number) =>
      (
        method: InjectedRequest['method'],
        path: string,
        body?: object,
        headers?: InjectedRequest['headers'],
      ) =>
        send(internal, operator, {
          method,
          url: `/internal/tenants/${tenantId}/webhooks${path}`,
          body,
          headers,
        }),
    /** As a relay does: again until Kafka has them. What comes twice is taken in once. */
    publish: (...events: DomainEvent[]) => eventually(() => publisher.publish(events.map(recordOf))),
    /** Whatever the type, known or not. */
    publishRaw: (topic: Topic, event: EventEnvelope) =>
      eventually(() => publisher.publish([recordOn(topic, event)])),
    /** A request of an integrator to the feed of events. */
    feed,
    /** Requests of an integrator to a tenant's webhooks, with a key of these scopes; the path begins behind `/api/v1`. */
    asIntegrator:
      (tenantId: number, scopes: readonly Scope[]) =>
      (
        method: InjectedRequest['method'],
        path: string,
        body?: object,
        headers?: InjectedRequest['headers'],
      ) =>
        send(
          api,
          { issuer: 'gateway', role: 'integrator', tenantId, keyId: tenantId, scopes },
          { method, url: `/api/v1${path}`, body, headers },
        ),
    /** A request to the internal API as this role. */
    async request(options: {
      method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
      path: string;
      body?: object;
      role?: Role | null;
      tenantId?: number;
      scopes?: readonly Scope[];
    }) {
      const { method = 'GET', path: url, body, role = 'operator', tenantId, scopes } = options;
      const caller = role && { issuer: ISSUER_OF[role], role, tenantId, scopes };
      const answer = await send(internal, caller, { method, url, body });
      return { status: answer.status, body: answer.body };
    },
    /** What it left stays, for another one over it. */
    stopService,
    async stop() {
      await stopService();
      await database.stop();
      if (hasEvents && !over) await removeTopics(prefix);
      await drop();
    },
  };
}
