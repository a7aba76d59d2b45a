import { callsRoutes, type UpdateCallSource } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import {
  type App,
  changesOf,
  matching,
  notFound,
  ok,
  type RequireVersion,
  route,
  versioned,
} from '@frontdesk/service';
import { deleteSource, findSource, listSources, lockSource, updateSource } from './call-source.repository.ts';
import { type CallSourceRow, callSourceRecord } from './call-source.rules.ts';
import { listRefusedMessages } from './refused-message.repository.ts';

export function callSourceRoutes(app: App, deps: { database: Database; publicUrl: string }): void {
  const { database, publicUrl } = deps;

  route(app, callsRoutes.listSources, async ({ tenantId }) => {
    const db = database.forTenant(tenantId);
    const [rows, refusals] = await Promise.all([listSources(db), listRefusedMessages(db)]);
    const refusalsOf = Map.groupBy(refusals, ({ source_id }) => source_id);
    return ok(rows.map((row) => callSourceRecord(row, publicUrl, refusalsOf.get(row.id))));
  });

  route(app, callsRoutes.getSource, async ({ tenantId, params: { id } }, reply) => {
    const db = database.forTenant(tenantId);
    const [row, refusals] = await Promise.all([findSource(db, id), listRefusedMessages(db, id)]);
    if (!row) throw notFound('Call source');
    return versioned(reply, row.version, callSourceRecord(row, publicUrl, refusals));
  });

  route(app, callsRoutes.updateSource, async (request, reply) => {
    const { tenantId, params, body } = request;
    const row = await database
      .forTenant(tenantId)
      .transaction((tx) => changeSource(tx, params.id, body, matching(request)));
    return versioned(reply, row.version, callSourceRecord(row, publicUrl));
  });

  route(app, callsRoutes.deleteSource, async ({ tenantId, params: { id } }) => {
    if (!(await deleteSource(database.forTenant(tenantId), id))) throw notFound('Call source');
    return ok({ id, deleted: true as const });
  });
}

/** Changes what is given; settings are replaced as a whole. @throws AppError `not_found`, `precondition_failed` */
async function changeSource(
  tx: TenantTransaction,
  id: number,
  patch: UpdateCallSource,
  requireVersion: RequireVersion,
): Promise<CallSourceRow> {
  const source = await lockSource(tx, id);
  if (!source) throw notFound('Call source');
  requireVersion(source.version);
  const changes = changesOf<CallSourceRow>(source, patch);
  return changes ? updateSource(tx, id, changes) : source;
}
