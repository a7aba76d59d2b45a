import { crmRoutes, operations } from '@frontdesk/contracts';
import { createCountFolder, createHousekeeping, createQuotaGate } from '@frontdesk/database';
import { createMergeRewriter } from '@frontdesk/merges';
import {
  createApp,
  quotaUsageRoute,
  quotaUsesRoute,
  refuseSuspended,
  requireIdentity,
  type ServiceContext,
} from '@frontdesk/service';
import { createTenantDirectory, isSuspended, tenantsConsumer } from '@frontdesk/tenants';
import { assemble, createCaller, createWiring } from '@frontdesk/wiring';
import type { CrmConfig } from './config.ts';
import { ALL_CUSTOMERS, findQuotaUses } from './customers/customer-count.repository.ts';
import { customerChangeRoutes, customerRoutes, mergeRoute } from './customers/customers.routes.ts';
import {
  customerByPhoneRoutes,
  customerTotalsRoute,
  internalRoutes,
  namedCustomersRoute,
  snapshotRoutes,
} from './customers/internal-customers.routes.ts';
import { migrations } from './migrations/index.ts';
import { rewriteVisits } from './visits/change-visits.ts';
import { visitsProjection } from './visits/visits.consumer.ts';

export async function buildCrm(config: CrmConfig, context: ServiceContext) {
  const wiring = await createWiring({
    name: 'crm',
    config,
    context,
    // Compiling a search that is planned anew takes longer than to run it.
    database: { migrations, sessionSettings: { jit: 'off' } },
  });
  const { database, verifier } = wiring;
  const { clientOf } = await createCaller(wiring, 'crm', config);
  const gateway = clientOf('gateway', config.GATEWAY_INTERNAL_URL);
  const scheduling = clientOf('scheduling', config.SCHEDULING_INTERNAL_URL);
  const tenants = createTenantDirectory({ database, gateway });
  const visits = visitsProjection(wiring, scheduling);
  const gate = createQuotaGate();
  const consumers = [tenantsConsumer(tenants, wiring), visits.consumer];

  const api = createApp(context);
  requireIdentity(api, { verifier, roles: ['integrator'] });
  customerRoutes(api, operations, { database, tenants });
  customerChangeRoutes(api, operations, { database, tenants, gate });

  const service = assemble(wiring, {
    connections: [gateway, scheduling],
    consumers,
    running: [
      ...consumers,
      visits.refill,
      createMergeRewriter(wiring, { rewrite: rewriteVisits }),
      createCountFolder(wiring),
      createHousekeeping(wiring),
    ],
    internal: [
      { roles: ['operator'], register: (app) => quotaUsesRoute(app, () => findQuotaUses(database.system)) },
      {
        roles: ['service', 'admin'],
        register: (app) => namedCustomersRoute(app, { database }),
      },
      {
        roles: ['admin'],
        register(app) {
          internalRoutes(app, { database });
          customerRoutes(app, crmRoutes, { database, tenants });
        },
      },
      {
        roles: ['operator', 'admin'],
        register(app) {
          refuseSuspended(app, isSuspended(database));
          customerChangeRoutes(app, crmRoutes, { database, tenants, gate });
          mergeRoute(app, { database, tenants });
          quotaUsageRoute(app, async (tenantId) => ({
            customers: await database.forTenant(tenantId).total(ALL_CUSTOMERS),
          }));
        },
      },
      {
        roles: ['service'],
        register: (app) => customerByPhoneRoutes(app, { database, tenants, gate }),
      },
      {
        roles: ['service'],
        register(app) {
          snapshotRoutes(app, { database });
          customerTotalsRoute(app, { database });
        },
      },
    ],
    api: { app: api, port: config.PORT },
  });
  return { ...service, api };
}
