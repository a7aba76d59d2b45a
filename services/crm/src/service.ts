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
  healthRoutes,
  httpPart,
  type Part,
  requireIdentity,
  type ServiceContext,
  serviceClients,
} from '@frontdesk/service';
import { createTenantDirectory, tenantsConsumer } from '@frontdesk/tenants';
import { customerByPhoneRoutes } from './api/customer-by-phone.routes.ts';
import { customerListRoute, customerRoutes } from './api/customers.routes.ts';
import { internalRoutes } from './api/internal.routes.ts';
import { snapshotRoutes } from './api/snapshots.routes.ts';
import type { CrmConfig } from './config.ts';
import { appointmentsConsumer } from './consumers/appointments.consumer.ts';
import { migrations } from './data/migrations/index.ts';
import { visitsRefill } from './workers/visits-refill.worker.ts';

interface CrmService {
  parts: Part[];
  api: App;
  internal: App;
}

export async function buildCrm(config: CrmConfig, context: ServiceContext): Promise<CrmService> {
  const { logger, metrics } = context;
  const signer = await createIdentitySigner({
    issuer: 'crm',
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: 'crm',
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });

  const database = createDatabase({
    ...databaseSettings(config),
    migrations,
    logger,
    metrics,
  });
  const clientOf = serviceClients({ signer, timeoutMs: config.SERVICE_TIMEOUT_MS });
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const scheduling = clientOf('scheduling', config.SCHEDULING_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: 'crm',
    logger,
  });
  const publisher = createPublisher({ kafka, logger, metrics });

  const api = createApp({ logger, metrics });
  requireIdentity(api, { verifier, roles: ['integrator'] });
  customerRoutes(api, { database, tenants });

  const internal = createApp({ logger, metrics });
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['service', 'operator', 'admin'] });
    internalRoutes(guarded, { database });
    customerListRoute(guarded, '/internal/tenants/:tenant_id/customers', { database });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['service', 'operator'] });
    customerByPhoneRoutes(guarded, { database, tenants });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['service'] });
    snapshotRoutes(guarded, { database });
  });
  void internal.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['operator'] });
    stuckEventRoutes(guarded, { database, consumers });
    eventGapRoutes(guarded, { database });
  });

  const deadLetters = createDeadLetters({ database, metrics });
  const progress = createConsumerProgress(database);
  const refill = visitsRefill({ database, scheduling, deadLetters, logger });
  const consumers = [
    tenantsConsumer({ tenants, kafka, deadLetters, progress, service: 'crm' }, context),
    appointmentsConsumer({ database, kafka, deadLetters, progress, onGap: refill.again }, context),
  ];
  const parts: Part[] = [
    database,
    gateway,
    scheduling,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    ...consumers,
    refill,
    createCountFolder({ database, logger }),
    createHousekeeping({ database, logger, metrics }),
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpPart({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  return { parts, api, internal };
}
