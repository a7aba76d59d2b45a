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
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
  serviceClients,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { appointmentListRoute, appointmentRoutes } from './api/appointments.routes.ts';
import { bookabilityRoutes } from './api/bookability.routes.ts';
import { bookingSettingsRoutes } from './api/booking-settings.routes.ts';
import { businessRoutes } from './api/business.routes.ts';
import { calendarRoutes } from './api/calendar.routes.ts';
import { calendarConflictRoutes } from './api/calendar-conflicts.routes.ts';
import { dayRoutes } from './api/days.routes.ts';
import { quotaUsageRoutes } from './api/quota-usage.routes.ts';
import { requireTenant } from './api/require-tenant.ts';
import { serviceAdminRoutes } from './api/service-admin.routes.ts';
import { serviceRoutes } from './api/services.routes.ts';
import { slotRoute } from './api/slots.routes.ts';
import { snapshotRoutes } from './api/snapshots.routes.ts';
import { staffRoutes } from './api/staff.routes.ts';
import { staffAdminRoutes } from './api/staff-admin.routes.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { createCustomerLookup } from './clients/crm.client.ts';
import type { SchedulingConfig } from './config.ts';
import { customersConsumer } from './consumers/customers.consumer.ts';
import { migrations } from './data/migrations/index.ts';
import { ServiceEntity } from './data/service.entity.ts';
import { customersRefill } from './workers/customers-refill.worker.ts';

const NAME = 'scheduling';

interface SchedulingService {
  parts: Part[];
  api: App;
  internal: App;
}

export async function buildScheduling(
  config: SchedulingConfig,
  context: ServiceContext,
): Promise<SchedulingService> {
  const { logger, metrics } = context;
  const signer = await createIdentitySigner({
    issuer: NAME,
    privateKeyFile: config.IDENTITY_PRIVATE_KEY_FILE,
  });
  const verifier = await createIdentityVerifier({
    audience: NAME,
    publicKeysFile: config.IDENTITY_PUBLIC_KEYS_FILE,
  });
  const database = createDatabase({
    ...databaseSettings(config),
    entities: [ServiceEntity],
    migrations,
    logger,
    metrics,
  });
  const clientOf = serviceClients({ signer, timeoutMs: config.SERVICE_TIMEOUT_MS });
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = clientOf('crm', config.CRM_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const customers = createCustomerLookup(crm);
  const kafka = createKafkaClient({
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    clientId: NAME,
    logger,
  });
  const publisher = createPublisher({ kafka, logger, metrics });

  const api = createApp({ logger, metrics });
  requireIdentity(api, { verifier, roles: ['integrator'] });
  appointmentRoutes(api, { database, tenants, customers });
  slotRoute(api, '/api/v1/appointments/slots', { database, tenants });
  staffRoutes(api, { database, tenants });
  serviceRoutes(api, { database });

  const internal = createApp({ logger, metrics });
  const deadLetters = createDeadLetters({ database, metrics });
  const progress = createConsumerProgress(database);
  const refill = customersRefill({ database, crm, deadLetters, logger });
  const consumers = [
    tenantsConsumer({ tenants, kafka, deadLetters, progress, service: NAME }, context),
    customersConsumer({ database, kafka, deadLetters, progress, onGap: refill.again }, context),
  ];
  const parts: Part[] = [
    database,
    gateway,
    crm,
    publisher,
    createOutboxRelay({ database, publisher, logger, metrics }),
    ...consumers,
    refill,
    createCountFolder({ database, logger }),
    createHousekeeping({ database, logger, metrics }),
    httpPart({ name: 'internal', app: internal, host: config.HOST, port: config.INTERNAL_PORT }),
    httpPart({ name: 'api', app: api, host: config.HOST, port: config.PORT }),
  ];
  healthRoutes(internal, { parts: () => parts, metrics });
  void internal.register(async (app: App) => {
    requireIdentity(app, { verifier, roles: ['operator', 'admin'] });
    refuseSuspended(app, isSuspended(database));
    requireTenant(app, tenants);
    businessRoutes(app, { database, tenants });
    bookingSettingsRoutes(app, { database });
    serviceAdminRoutes(app, { database, tenants });
    staffAdminRoutes(app, { database, tenants });
    quotaUsageRoutes(app, { database });
    calendarRoutes(app, { database, tenants });
    calendarConflictRoutes(app, { database, tenants });
    bookabilityRoutes(app, { database, tenants });
    statisticsRoutes(app, { database, tenants });
    dayRoutes(app, { database, tenants });
    appointmentListRoute(app, '/internal/tenants/:tenant_id/appointments', { database });
    slotRoute(app, '/internal/tenants/:tenant_id/slots', { database, tenants });
  });
  void internal.register(async (app: App) => {
    requireIdentity(app, { verifier, roles: ['service'] });
    snapshotRoutes(app, { database });
  });
  void internal.register(async (app: App) => {
    requireIdentity(app, { verifier, roles: ['operator'] });
    stuckEventRoutes(app, { database, consumers });
    eventGapRoutes(app, { database });
  });
  return { parts, api, internal };
}
