import { callListEntry, callSchema, dataOf, listCallsQuery, pageOf, pathId } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, page, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findCall } from '../data/call.repository.ts';
import { callListRecord, callRecord } from '../domain/call.ts';
import { listCallsOfTenant } from '../use-cases/list-calls.ts';

const config = { resource: 'Call' };

interface CallsDeps {
  database: Database;
  tenants: TenantDirectory;
}

/** The list and one call, for integrators. */
export function callRoutes(app: App, deps: CallsDeps): void {
  app.get(
    '/api/v1/calls',
    { config, schema: { querystring: listCallsQuery, response: { 200: pageOf(callListEntry) } } },
    async ({ query, tenantId }) => {
      const { rows, ...meta } = await listCallsOfTenant(deps, tenantId, query);
      return page(rows.map(callListRecord), { ...query, ...meta });
    },
  );

  app.get(
    '/api/v1/calls/:id',
    { config, schema: { params: pathId, response: { 200: dataOf(callSchema) } } },
    async ({ params, tenantId }, reply) => {
      const call = await findCall(deps.database.forTenant(tenantId), params.id);
      if (!call) throw notFound('Call');
      const record = callRecord(call, call.transcript ?? []);
      // The source's name is its own, and may be changed. A transcript is long, and changes with the version only.
      const { transcript: _, ...shown } = record;
      return versioned(reply, call.version, record, shown);
    },
  );
}
