import {
  callAdminSchema,
  callBacksQuery,
  callBacksSchema,
  calledBackBody,
  callListAdminEntry,
  dataOf,
  listCallsAdminQuery,
  pageOf,
  pathId,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, invalid, notFound, ok, page } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findCall } from '../data/call.repository.ts';
import { listCallBacks, markCalledBack, unmarkCalledBack } from '../data/call-back.repository.ts';
import { callAdminRecord, callBackRecord, callListAdminRecord } from '../domain/call.ts';
import { listCallsOfTenant } from '../use-cases/list-calls.ts';

const LIST = '/internal/tenants/:tenant_id/calls';
const CALLED_BACK = `${LIST}/:id/called-back` as const;
const params = pathId.loose();
const config = { resource: 'Call' };

/** Calls for those who run a business, and which of the missed ones were called back. Integrators learn nothing of that. */
export function callAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database } = deps;

  app.get(
    LIST,
    { schema: { querystring: listCallsAdminQuery, response: { 200: pageOf(callListAdminEntry) } } },
    async ({ query, tenantId }) => {
      const { rows, ...meta } = await listCallsOfTenant(deps, tenantId, query);
      return page(rows.map(callListAdminRecord), { ...query, ...meta });
    },
  );

  app.get(
    '/internal/tenants/:tenant_id/call-backs',
    { schema: { querystring: callBacksQuery, response: { 200: dataOf(callBacksSchema) } } },
    async ({ query: { days, ...counts }, tenantId }) => {
      const db = database.forTenant(tenantId);
      const [open, done] = await Promise.all([
        listCallBacks(db, 'open', { days, count: counts.open }),
        counts.done > 0 ? listCallBacks(db, 'done', { days, count: counts.done }) : [],
      ]);
      const open_total = open[0]?.total ?? 0;
      return ok({ open: open.map(callBackRecord), open_total, done: done.map(callBackRecord) });
    },
  );

  app.get(
    `${LIST}/:id`,
    { config, schema: { params, response: { 200: dataOf(callAdminSchema) } } },
    async ({ params, tenantId }) => {
      const call = await findCall(database.forTenant(tenantId), params.id);
      if (!call) throw notFound(config.resource);
      return ok(callAdminRecord(call, call.transcript ?? []));
    },
  );

  app.put(
    CALLED_BACK,
    { config, schema: { params, body: calledBackBody, response: { 200: dataOf(callListAdminEntry) } } },
    async ({ params: { id }, body, tenantId }) => {
      const scope = database.forTenant(tenantId);
      const marked = await markCalledBack(scope, id, body.by);
      if (marked) return ok(callListAdminRecord(marked));
      if (!(await findCall(scope, id))) throw notFound(config.resource);
      throw invalid({ id: ['Only a missed inbound call can be marked as called back.'] });
    },
  );

  app.delete(
    CALLED_BACK,
    { config, schema: { params, response: { 200: dataOf(callListAdminEntry) } } },
    async ({ params: { id }, tenantId }) => {
      const call = await unmarkCalledBack(database.forTenant(tenantId), id);
      if (!call) throw notFound(config.resource);
      return ok(callListAdminRecord(call));
    },
  );
}
