import { createCountFolder, createHousekeeping } from '@frontdesk/database';
import { createMergeRewriter } from '@frontdesk/merges';
import {
  type App,
  createApp,
  createSecretBox,
  createSecretSealer,
  loadSecretKeys,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import {
  createTenantDirectory,
  isSuspended,
  type TenantDirectory,
  tenantsConsumer,
} from '@frontdesk/tenants';
import { assemble, createCaller, createWiring } from '@frontdesk/wiring';
import { createAnnouncer } from './calls/announce.worker.ts';
import { rewriteCalls } from './calls/call.repository.ts';
import { callRoutes } from './calls/calls.routes.ts';
import { callAdminRoutes } from './calls/calls-admin.routes.ts';
import { probeTenantsSoon } from './calls/parked-call.repository.ts';
import { statisticsRoutes } from './calls/statistics.routes.ts';
import type { CallsConfig } from './config.ts';
import { createCustomerLookup } from './links/crm.client.ts';
import { customersProjection } from './links/customers.consumer.ts';
import { createAppointmentLinker } from './links/link-appointments.worker.ts';
import { createCallLinker } from './links/link-calls.worker.ts';
import { createAppointmentLookup } from './links/scheduling.client.ts';
import { callMessageRoutes } from './messages/call-messages.routes.ts';
import { findSourcesRoutes } from './messages/find-sources.routes.ts';
import { ingestRoutes } from './messages/ingest.routes.ts';
import { findQuotaUses, readQuotaUsage } from './messages/quota-uses.repository.ts';
import { createMessageReader } from './messages/read-messages.worker.ts';
import { createRefusedMessages } from './messages/refused-messages.worker.ts';
import { createRetentionWorker } from './messages/retention.worker.ts';
import { testCallRoutes } from './messages/test-call.routes.ts';
import { migrations } from './migrations/index.ts';
import { callSourceEntity } from './sources/call-source.entity.ts';
import { callSourceSecretRoutes } from './sources/call-source-secrets.routes.ts';
import { callSourceRoutes } from './sources/call-sources.routes.ts';
import { sealSecrets } from './sources/seal-secrets.ts';

export async function buildCalls(config: CallsConfig, context: ServiceContext) {
  const wiring = await createWiring({
    name: 'calls',
    config,
    context,
    database: { entities: [callSourceEntity], migrations },
  });
  const { database, verifier, logger, metrics } = wiring;
  const { PUBLIC_URL: publicUrl, RETENTION_DAYS: retentionDays } = config;
  const secrets = createSecretBox(await loadSecretKeys(config.SECRET_KEYS_FILE));
  const { clientOf } = await createCaller(wiring, 'calls', config);
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = clientOf('crm', config.CRM_INTERNAL_URL);
  const scheduling = clientOf('scheduling', config.SCHEDULING_INTERNAL_URL);
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
  const { component: refusalWriter, refused } = createRefusedMessages({ database, logger });
  const rewriter = createMergeRewriter(wiring, { rewrite: rewriteCalls });
  const onMerged = () => rewriter.wake();
  const numbers = customersProjection(wiring, crm, { database, tenants, onLinkDue, onMerged });
  const changedTenants: Pick<TenantDirectory, 'apply'> = {
    async apply(events) {
      await tenants.apply(events);
      await probeTenantsSoon(database.system, [...new Set(events.map(({ tenant_id }) => tenant_id))]);
    },
  };
  const consumers = [tenantsConsumer(changedTenants, wiring), numbers.consumer];

  const api = createApp(context);
  void api.register(async (guarded: App) => {
    requireIdentity(guarded, { verifier, roles: ['integrator'] });
    callRoutes(guarded, { database, tenants });
  });
  void api.register(async (open: App) =>
    ingestRoutes(open, { database, secrets, publicUrl, onReceived, refused }),
  );

  const service = assemble(wiring, {
    connections: [gateway, crm, scheduling],
    consumers,
    running: [
      ...consumers,
      numbers.refill,
      rewriter,
      createAnnouncer({ database, logger }),
      linker,
      appointmentLinker,
      reader,
      refusalWriter,
      createCountFolder(wiring),
      createRetentionWorker({ database, retentionDays, logger }),
      createSecretSealer({
        secrets: 'secrets of call sources',
        box: secrets,
        seal: () => sealSecrets(database.system, secrets),
        sealAfterMs: config.SEAL_AFTER_MS,
        logger,
      }),
      createHousekeeping(wiring),
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
      { roles: ['service'], register: (app) => findSourcesRoutes(app, { database, refused }) },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
