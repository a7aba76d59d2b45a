import { assemble, createChassis } from '@frontdesk/chassis';
import { createCountFolder, createHousekeeping } from '@frontdesk/database';
import {
  type App,
  createApp,
  createSecretBox,
  loadSecretKeys,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { callMessageRoutes } from './api/call-messages.routes.ts';
import { callSourceSecretRoutes } from './api/call-source-secrets.routes.ts';
import { callSourceRoutes } from './api/call-sources.routes.ts';
import { callRoutes } from './api/calls.routes.ts';
import { callAdminRoutes } from './api/calls-admin.routes.ts';
import { findSourcesRoutes } from './api/find-sources.routes.ts';
import { ingestRoutes } from './api/ingest.routes.ts';
import { statisticsRoutes } from './api/statistics.routes.ts';
import { testCallRoutes } from './api/test-call.routes.ts';
import { createCustomerLookup } from './clients/crm.client.ts';
import { createAppointmentLookup } from './clients/scheduling.client.ts';
import type { CallsConfig } from './config.ts';
import { customersProjection } from './consumers/customers.projection.ts';
import { callSourceEntity } from './data/call-source.entity.ts';
import { migrations } from './data/migrations/index.ts';
import { findQuotaUses, readQuotaUsage } from './data/quota-uses.repository.ts';
import { createAnnouncer } from './workers/announce.worker.ts';
import { createAppointmentLinker } from './workers/link-appointments.worker.ts';
import { createCallLinker } from './workers/link-calls.worker.ts';
import { createMessageReader } from './workers/read-messages.worker.ts';
import { createRetentionWorker } from './workers/retention.worker.ts';

export async function buildCalls(config: CallsConfig, context: ServiceContext) {
  const chassis = await createChassis({
    name: 'calls',
    config,
    context,
    database: { entities: [callSourceEntity], migrations },
  });
  const { database, verifier, logger, metrics } = chassis;
  const { PUBLIC_URL: publicUrl, RETENTION_DAYS: retentionDays } = config;
  const secrets = createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE));
  const gateway = chassis.clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = chassis.clientOf('crm', config.CRM_INTERNAL_URL);
  const scheduling = chassis.clientOf('scheduling', config.SCHEDULING_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const customers = createCustomerLookup(crm);

  const linker = createCallLinker({ database, customers, logger });
  const appointments = createAppointmentLookup(scheduling);
  const appointmentLinker = createAppointmentLinker({ database, appointments, logger });
  const onLinkDue = () => {
    linker.wake();
    appointmentLinker.wake();
  };
  const reader = createMessageReader({
    database,
    tenants,
    waits: { analysisMs: config.ANNOUNCE_AFTER_MS, linkMs: config.LINK_WAIT_MS },
    onLinkDue,
    logger,
    metrics,
  });
  const onReceived = () => reader.wake();
  const numbers = customersProjection(chassis, crm, { database, tenants, onLinkDue });
  const consumers = [tenantsConsumer(tenants, chassis), numbers.consumer];

  const api = createApp(context);
  void api.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['integrator'] });
    callRoutes(guarded, { database, tenants });
  });
  void api.register(async (open: App) => ingestRoutes(open, { database, secrets, publicUrl, onReceived }));

  const service = assemble(chassis, {
    connections: [gateway, crm, scheduling],
    consumers,
    running: [
      ...consumers,
      numbers.refill,
      createAnnouncer({ database, logger }),
      linker,
      appointmentLinker,
      reader,
      createCountFolder(chassis),
      createRetentionWorker({ database, retentionDays, logger }),
      createHousekeeping(chassis),
    ],
    internal: [
      { roles: ['operator'], register: (app) => quotaUsesRoute(app, () => findQuotaUses(database.system)) },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          callSourceRoutes(app, { database, publicUrl });
          callSourceSecretRoutes(app, { database, tenants, secrets, publicUrl });
          testCallRoutes(app, { database, tenants, customers, onReceived, publicUrl });
          callMessageRoutes(app, { database, onReceived });
          quotaUsageRoute(app, (tenantId) => readQuotaUsage(database.forTenant(tenantId)));
          statisticsRoutes(app, { database, tenants });
          callAdminRoutes(app, { database, tenants });
        },
      },
      { roles: ['service'], register: (app) => findSourcesRoutes(app, { database }) },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
