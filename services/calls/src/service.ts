import {
  createConsumerProgress,
  createCountFolder,
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
  createIdentitySigner,
  createIdentityVerifier,
  createSecretBox,
  healthRoutes,
  httpPart,
  loadSecretKeys,
  type Part,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
  serviceClients,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { callMessageRoutes } from './api/call-messages.routes.ts';
import { callSourceSecretRoutes } from './api/call-source-secrets.routes.ts';
import { callSourceRoutes } from './api/call-sources.routes.ts';
import { callListRoute, callRoutes } from './api/calls.routes.ts';
import { findSourcesRoutes } from './api/find-sources.routes.ts';
import { ingestRoutes } from './api/ingest.routes.ts';
import { quotaUsageRoutes } from './api/quota-usage.routes.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { testCallRoutes } from './api/test-call.routes.ts';
import { createCustomerLookup } from './clients/crm.client.ts';
import type { CallsConfig } from './config.ts';
import { customersConsumer } from './consumers/customers.consumer.ts';
import { callMessageDayEntity } from './data/call-message-day.entity.ts';
import { migrations } from './data/migrations/index.ts';
import { createAnnouncer } from './workers/announce.worker.ts';
import { customersRefill } from './workers/customers-refill.worker.ts';
import { createCallLinker } from './workers/link-calls.worker.ts';
import { createMessageReader } from './workers/read-messages.worker.ts';
import { createRetentionWorker } from './workers/retention.worker.ts';

const NAME = 'calls';

interface CallsService {
  parts: Part[];
  api: App;
  internal: App;
}

export async function buildCalls(config: CallsConfig, context: ServiceContext): Promise<CallsService> {
  const { logger, metrics } = context;
  const { PUBLIC_URL: publicUrl } = config;
  const signer = await createIdentitySigner({
    issuer: NAME,
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: NAME,
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });
  const secrets = createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE));

  const database = createDatabase({
    ...databaseSettings(config),
    entities: [callMessageDayEntity],
    migrations,
    logger,
    metrics,
  });
  const clientOf = serviceClients({ signer, timeoutMs: config.SERVICE_TIMEOUT_MS });
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = clientOf('crm', config.CRM_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const customers = createCustomerLookup(crm);
  const linker = createCallLinker({ database, customers, logger });
  const onLinkDue = () => linker.wake();
  const reader = createMessageReader({
    database,
    tenants,
    waits: { analysisMs: config.ANNOUNCE_AFTER_MS, linkMs: config.LINK_WAIT_MS },
    onLinkDue,
    logger,
    metrics,
  });
  const onReceived = () => reader.wake();
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: NAME,
    logger,
  });
  const publisher = createPublisher({ kafka, logger, metrics });

  const api = createApp({ logger, metrics });
  void api.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['integrator'] });
    callRoutes(guarded, { database, tenants });
  });
  void api.register(async (open: App) => ingestRoutes(open, { database, secrets, publicUrl, onReceived }));

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator', 'admin'] });
    refuseSuspended(guarded, isSuspended(database));
    callSourceRoutes(guarded, { database, publicUrl });
    callSourceSecretRoutes(guarded, { database, tenants, secrets, publicUrl });
    testCallRoutes(guarded, { database, tenants, customers, onReceived, publicUrl });
    callMessageRoutes(guarded, { database, onReceived });
    quotaUsageRoutes(guarded, { database });
    statisticsRoutes(guarded, { database, tenants });
    callListRoute(guarded, '/internal/tenants/:tenant_id/calls', { database, tenants });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['service'] });
    findSourcesRoutes(guarded, { database });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    stuckEventRoutes(guarded, { database, consumers });
    eventGapRoutes(guarded, { database });
  });

  const learning = { database, tenants, onLinkDue };
  const deadLetters = createDeadLetters({ database, metrics });
  const progress = createConsumerProgress(database);
  const refill = customersRefill({ ...learning, crm, deadLetters, logger });
  const consumers = [
    tenantsConsumer({ tenants, kafka, deadLetters, progress, service: NAME }, context),
    customersConsumer({ ...learning, kafka, deadLetters, progress, onGap: refill.again }, context),
  ];
  const parts: Part[] = [
    database,
    gateway,
    crm,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    ...consumers,
    refill,
    createAnnouncer({ database, logger }),
    linker,
    reader,
    createCountFolder({ database, logger }),
    createRetentionWorker({ database, retentionDays: config.RETENTION_DAYS, logger }),
    createHousekeeping({ database, logger, metrics }),
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpPart({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { parts, api, internal };
}
