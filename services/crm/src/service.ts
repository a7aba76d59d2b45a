import { assemble, createChassis } from '@frontdesk/chassis';
import { createCountFolder, createHousekeeping } from '@frontdesk/database';
import { createApp, refuseSuspended, requireIdentity, type ServiceContext } from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { customerByPhoneRoutes } from './api/customer-by-phone.routes.ts';
import { customerChangeRoutes, customerRoutes } from './api/customers.routes.ts';
import { internalRoutes } from './api/internal.routes.ts';
import { snapshotRoutes } from './api/snapshots.routes.ts';
import type { CrmConfig } from './config.ts';
import { visitsProjection } from './consumers/visits.projection.ts';
import { migrations } from './data/migrations/index.ts';

const INTERNAL = '/internal/tenants/:tenant_id';

export async function buildCrm(config: CrmConfig, context: ServiceContext) {
  const chassis = await createChassis({
    name: 'crm',
    config,
    context,
    // Compiling a search that is planned anew takes longer than to run it.
    database: { migrations, sessionSettings: { jit: 'off' } },
  });
  const { database, verifier } = chassis;
  const gateway = chassis.clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const scheduling = chassis.clientOf('scheduling', config.SCHEDULING_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const visits = visitsProjection(chassis, scheduling);
  const consumers = [tenantsConsumer(tenants, chassis), visits.consumer];

  const api = createApp(context);
  requireIdentity(api, { verifier, roles: ['integrator'] });
  customerRoutes(api, '/api/v1/customers', { database, tenants });
  customerChangeRoutes(api, '/api/v1/customers', { database, tenants });

  const service = assemble(chassis, {
    connections: [gateway, scheduling],
    consumers,
    running: [...consumers, visits.refill, createCountFolder(chassis), createHousekeeping(chassis)],
    internal: [
      {
        roles: ['service', 'operator', 'admin'],
        register(app) {
          internalRoutes(app, { database });
          customerRoutes(app, `${INTERNAL}/customers`, { database, tenants });
        },
      },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          customerChangeRoutes(app, `${INTERNAL}/customers`, { database, tenants });
        },
      },
      {
        roles: ['service', 'operator'],
        register: (app) => customerByPhoneRoutes(app, { database, tenants }),
      },
      { roles: ['service'], register: (app) => snapshotRoutes(app, { database }) },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
