import { assemble, createChassis } from '@frontdesk/chassis';
import { listAppointmentsAdminQuery } from '@frontdesk/contracts';
import { createCountFolder, createHousekeeping } from '@frontdesk/database';
import {
  createApp,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import {
  appointmentChangeRoutes,
  appointmentListRoute,
  appointmentRoute,
} from './api/appointments.routes.ts';
import { bookabilityRoutes } from './api/bookability.routes.ts';
import { bookingSettingsRoutes } from './api/booking-settings.routes.ts';
import { businessRoutes } from './api/business.routes.ts';
import { businessRecordRoute } from './api/business-record.routes.ts';
import { calendarRoutes } from './api/calendar.routes.ts';
import { calendarConflictRoutes } from './api/calendar-conflicts.routes.ts';
import { dayRoutes } from './api/days.routes.ts';
import { knownAppointmentsRoute } from './api/known-appointments.routes.ts';
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
import { customersProjection } from './consumers/customers.projection.ts';
import { migrations } from './data/migrations/index.ts';
import { findQuotaUses, readQuotaUsage } from './data/quota-uses.repository.ts';
import { serviceEntity } from './data/service.entity.ts';
import { settingsEntity } from './data/settings.entity.ts';
import { staffEntity } from './data/staff.entity.ts';

const INTERNAL = '/internal/tenants/:tenant_id';

export async function buildScheduling(config: SchedulingConfig, context: ServiceContext) {
  const chassis = await createChassis({
    name: 'scheduling',
    config,
    context,
    database: { entities: [serviceEntity, staffEntity, settingsEntity], migrations },
  });
  const { database, verifier } = chassis;
  const gateway = chassis.clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const crm = chassis.clientOf('crm', config.CRM_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const customers = customersProjection(chassis, crm);
  const lookup = createCustomerLookup(crm);
  const consumers = [tenantsConsumer(tenants, chassis), customers.consumer];

  const api = createApp(context);
  requireIdentity(api, { verifier, roles: ['integrator'] });
  appointmentListRoute(api, '/api/v1/appointments', { database });
  appointmentRoute(api, '/api/v1/appointments/:id', { database });
  appointmentChangeRoutes(api, '/api/v1/appointments', { database, tenants, customers: lookup });
  slotRoute(api, '/api/v1/appointments/slots', { database, tenants });
  staffRoutes(api, { database, tenants });
  serviceRoutes(api, { database });
  businessRecordRoute(api, { database, tenants });

  const service = assemble(chassis, {
    connections: [gateway, crm],
    consumers,
    running: [...consumers, customers.refill, createCountFolder(chassis), createHousekeeping(chassis)],
    internal: [
      { roles: ['operator'], register: (app) => quotaUsesRoute(app, () => findQuotaUses(database.system)) },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          requireTenant(app, tenants);
          businessRoutes(app, { database, tenants });
          bookingSettingsRoutes(app, { database });
          serviceAdminRoutes(app, { database, tenants });
          staffAdminRoutes(app, { database, tenants });
          quotaUsageRoute(app, (tenantId) => readQuotaUsage(database.forTenant(tenantId)));
          calendarRoutes(app, { database, tenants });
          calendarConflictRoutes(app, { database, tenants });
          bookabilityRoutes(app, { database, tenants });
          statisticsRoutes(app, { database, tenants });
          dayRoutes(app, { database, tenants });
          appointmentListRoute(app, `${INTERNAL}/appointments`, {
            ...{ database, querystring: listAppointmentsAdminQuery },
          });
          appointmentChangeRoutes(app, `${INTERNAL}/appointments`, { database, tenants, customers: lookup });
          slotRoute(app, `${INTERNAL}/slots`, { database, tenants });
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
