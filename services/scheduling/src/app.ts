import { operations, schedulingRoutes } from '@frontdesk/contracts';
import { createCountFolder, createHousekeeping, createQuotaGate } from '@frontdesk/database';
import { createMergeRewriter } from '@frontdesk/merges';
import {
  type App,
  createApp,
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
import { rewriteAppointments } from './appointments/appointment.repository.ts';
import {
  appointmentChangeRoutes,
  appointmentHistoryRoute,
  appointmentListRoute,
  appointmentRoute,
  appointmentStatusRoutes,
} from './appointments/appointments.routes.ts';
import { createCreatedCounts } from './appointments/created-appointments.worker.ts';
import { knownAppointmentsRoute, snapshotRoutes } from './appointments/snapshots.routes.ts';
import { slotRoute } from './availability/slots.routes.ts';
import { bookingSettingsEntity } from './booking-settings/booking-settings.entity.ts';
import { bookingSettingsRoutes } from './booking-settings/booking-settings.routes.ts';
import { bookabilityRoutes } from './business/bookability.routes.ts';
import { businessExportRoute, businessImportRoute } from './business/business.routes.ts';
import { businessRecordRoute } from './business/business-record.routes.ts';
import { findQuotaUses, readQuotaUsage } from './business/quota-uses.repository.ts';
import { calendarRoutes } from './calendars/calendar.routes.ts';
import { calendarConflictRoutes } from './calendars/calendar-conflicts.routes.ts';
import type { SchedulingConfig } from './config.ts';
import { createCustomerLookup } from './customers/crm.client.ts';
import { customersProjection } from './customers/customers.consumer.ts';
import { dayRoutes } from './days/days.routes.ts';
import { statisticsRoutes } from './days/statistics.routes.ts';
import { holdRoutes } from './holds/hold.routes.ts';
import { holdsReleaseRoute, holdsSwitchRoutes, openHoldsRoute } from './holds/hold-admin.routes.ts';
import { createHoldsWorker } from './holds/holds.worker.ts';
import { migrations } from './migrations/index.ts';
import { serviceEntity } from './services/service.entity.ts';
import { serviceAdminRoutes } from './services/service-admin.routes.ts';
import { serviceRoutes } from './services/services.routes.ts';
import { staffEntity } from './staff/staff.entity.ts';
import { staffRoutes } from './staff/staff.routes.ts';
import { staffAdminRoutes } from './staff/staff-admin.routes.ts';
import { staffPictureRoutes } from './staff/staff-picture.routes.ts';

export async function buildScheduling(config: SchedulingConfig, context: ServiceContext) {
  const wiring = await createWiring({
    name: 'scheduling',
    config,
    context,
    database: { entities: [serviceEntity, staffEntity, bookingSettingsEntity], migrations },
  });
  const { database, verifier } = wiring;
  const { clientOf } = await createCaller(wiring, 'scheduling', config);
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = clientOf('crm', config.CRM_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const rewriter = createMergeRewriter(wiring, { rewrite: rewriteAppointments });
  const customers = customersProjection(wiring, crm, { onMerged: rewriter.wake });
  const lookup = createCustomerLookup(crm);
  const gate = createQuotaGate();
  const consumers = [tenantsConsumer(tenants, wiring), customers.consumer];

  const api = createApp(context);
  requireIdentity(api, { verifier, roles: ['integrator'] });
  appointmentListRoute(api, operations, { database });
  appointmentRoute(api, { database });
  appointmentChangeRoutes(api, operations, { database, tenants, customers: lookup, gate });
  appointmentStatusRoutes(api, { database, tenants });
  holdRoutes(api, { database, tenants, customers: lookup, gate });
  slotRoute(api, operations, { database, tenants });
  staffRoutes(api, { database, tenants });
  serviceRoutes(api, { database });
  businessRecordRoute(api, { database, tenants });

  const service = assemble(wiring, {
    connections: [gateway, crm],
    consumers,
    running: [
      ...consumers,
      customers.refill,
      rewriter,
      createCountFolder(wiring),
      createCreatedCounts(wiring),
      createHoldsWorker(wiring),
      createHousekeeping(wiring),
    ],
    internal: [
      {
        roles: ['operator'],
        register(app) {
          quotaUsesRoute(app, () => findQuotaUses(database.system));
          holdsSwitchRoutes(app, { database });
        },
      },
      {
        roles: ['operator'],
        register(app) {
          requireTenant(app, tenants);
          businessImportRoute(app, { database, tenants });
          holdsReleaseRoute(app, { database });
        },
      },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          requireTenant(app, tenants);
          businessExportRoute(app, { database });
          bookingSettingsRoutes(app, { database });
          serviceAdminRoutes(app, { database, tenants });
          staffAdminRoutes(app, { database, tenants });
          staffPictureRoutes(app, { database, tenants });
          quotaUsageRoute(app, (tenantId) => readQuotaUsage(database.forTenant(tenantId)));
          calendarRoutes(app, { database, tenants });
          calendarConflictRoutes(app, { database, tenants });
          bookabilityRoutes(app, { database, tenants });
          statisticsRoutes(app, { database, tenants });
          dayRoutes(app, { database, tenants });
          appointmentListRoute(app, schedulingRoutes, { database });
          appointmentChangeRoutes(app, schedulingRoutes, { database, tenants, customers: lookup, gate });
          appointmentHistoryRoute(app, { database });
          openHoldsRoute(app, { database });
          slotRoute(app, schedulingRoutes, { database, tenants });
        },
      },
      {
        roles: ['service'],
        register(app) {
          snapshotRoutes(app, { database });
          knownAppointmentsRoute(app, { database });
        },
      },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}

/** Lets in only what acts on a tenant that there is, else 404: an operator may name any id. */
function requireTenant(app: App, tenants: TenantDirectory): void {
  app.addHook('preHandler', async ({ tenantId }) => {
    await tenants.find(tenantId);
  });
}
