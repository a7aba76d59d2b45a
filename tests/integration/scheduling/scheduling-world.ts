import type { BusinessDocument } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { ok } from '@frontdesk/service';
import { buildScheduling } from '../../../services/scheduling/src/app.ts';
import { configSchema } from '../../../services/scheduling/src/config.ts';
import { migrations } from '../../../services/scheduling/src/migrations/index.ts';
import {
  type InjectedRequest,
  operator,
  startNeighbours,
  startServiceWorld,
  uniqueTenantId,
} from '../../support/index.ts';

export type SchedulingWorld = Awaited<ReturnType<typeof startScheduling>>;

/** Gateway and crm as far as scheduling asks them: which tenants and which customers there are. */
async function startGatewayAndCrm() {
  const customers = new Set<string>();
  const mergedInto = new Map<string, number>();
  const asked: string[] = [];
  const neighbours = await startNeighbours((app) => {
    app.post('/internal/tenants/:tenant_id/customers/by-ids', async ({ params, body }) => {
      const { tenant_id } = params as { tenant_id: string };
      const { ids } = body as { ids: number[] };
      asked.push(...ids.map((id) => `${tenant_id}:${id}`));
      const keyOf = (id: number) => `${tenant_id}:${id}`;
      return ok(
        ids
          .filter((id) => customers.has(keyOf(id)))
          .map((id) => ({ id, merged_into: mergedInto.get(keyOf(id)) })),
      );
    });
  });
  return { ...neighbours, customers, mergedInto, asked };
}

/** A scheduling of the test's own. */
export async function startScheduling({ isWhole = false, crmUrl = '' } = {}) {
  const neighbours = await startGatewayAndCrm();
  const world = await startServiceWorld({
    name: 'scheduling',
    configSchema,
    migrations,
    build: buildScheduling,
    isWhole,
    env: { GATEWAY_INTERNAL_URL: neighbours.url, CRM_INTERNAL_URL: crmUrl || neighbours.url },
  });
  return {
    ...world,
    neighbours,
    newTenant: neighbours.newTenant,
    newCustomer(tenantId: number): number {
      const id = uniqueTenantId();
      neighbours.customers.add(`${tenantId}:${id}`);
      return id;
    },
    importBusiness: (tenantId: number, document: Partial<BusinessDocument> | object) =>
      world.send('internal', operator, {
        method: 'PUT',
        url: `/internal/tenants/${tenantId}/business`,
        body: document,
      }),
    /** A request to API v1 by an integrator of this tenant; the path begins behind `/api/v1`. */
    api: (
      tenantId: number,
      method: InjectedRequest['method'],
      path: string,
      body?: object,
      headers?: InjectedRequest['headers'],
    ) => world.api(tenantId, method, `/api/v1${path}`, body, headers),
    /** Runs SQL of the test's own; `$tenantId` is the tenant. */
    sql: (tenantId: number, text: string) =>
      world.database.system.many(systemSql<never, { tenantId: number }>(`test_${text}`.slice(0, 60), text), {
        tenantId,
      }),
    async stop() {
      await world.stop();
      await neighbours.stop();
    },
  };
}
