import { callSourceSchema, dataOf, pathId, removedRecord, updateCallSourceBody } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, matching, notFound, ok, versioned } from '@frontdesk/service';
import { z } from 'zod';
import { deleteSource, findSource, listSources } from '../data/call-source.repository.ts';
import { callSourceRecord } from '../domain/call-source.ts';
import { changeSource } from '../use-cases/change-source.ts';

export const SOURCES = '/internal/tenants/:tenant_id/call-sources';
const SINGLE = `${SOURCES}/:id` as const;
const single = { params: pathId.loose(), response: { 200: dataOf(callSourceSchema) } };
const config = { resource: 'Call source' };

export function callSourceRoutes(app: App, deps: { database: Database; publicUrl: string }): void {
  const { database, publicUrl } = deps;

  app.get(
    SOURCES,
    { schema: { response: { 200: dataOf(z.array(callSourceSchema)) } } },
    async ({ tenantId }) =>
      ok((await listSources(database.forTenant(tenantId))).map((row) => callSourceRecord(row, publicUrl))),
  );

  app.get(SINGLE, { config, schema: single }, async ({ tenantId, params }, reply) => {
    const row = await findSource(database.forTenant(tenantId), params.id);
    if (!row) throw notFound(config.resource);
    return versioned(reply, row.version, callSourceRecord(row, publicUrl));
  });

  app.patch(SINGLE, { config, schema: { ...single, body: updateCallSourceBody } }, async (request, reply) => {
    const { tenantId, params, body } = request;
    const row = await database
      .forTenant(tenantId)
      .transaction((tx) => changeSource(tx, params.id, body, matching(request)));
    return versioned(reply, row.version, callSourceRecord(row, publicUrl));
  });

  app.delete(
    SINGLE,
    { config, schema: { params: pathId.loose(), response: { 200: dataOf(removedRecord) } } },
    async ({ tenantId, params: { id } }) => {
      if (!(await deleteSource(database.forTenant(tenantId), id))) throw notFound(config.resource);
      return ok({ id, deleted: true as const });
    },
  );
}
