import { callsRoutes, withoutTranscript } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { type App, hasScope, type Identity, invalid, notFound, ok, page, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findCall, lockCall } from './call.repository.ts';
import { callAdminRecord, callBackRecord, callListAdminRecord } from './call.rules.ts';
import { listCallBacks, markCalledBack, unmarkCalledBack } from './call-back.repository.ts';
import { listCallsOfTenant } from './list-calls.ts';
import { writeCall } from './write-call.ts';

/** @throws AppError 404 */
async function recordOf(db: TenantReads, id: number, caller: Identity) {
  const call = await findCall(db, id);
  if (!call) throw notFound('Call');
  const whole = callAdminRecord(call, call.transcript ?? []);
  return hasScope(caller, 'calls:transcripts') ? whole : withoutTranscript(whole);
}

/** Calls for those who run a business, and which of the missed ones were called back. Integrators learn nothing of that. */
export function callAdminRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database } = deps;

  route(app, callsRoutes.listCalls, async ({ query, tenantId }) => {
    const { rows, ...meta } = await listCallsOfTenant(deps, tenantId, query);
    return page(rows.map(callListAdminRecord), { ...query, ...meta });
  });

  route(app, callsRoutes.listCallBacks, async ({ query: { days, ...counts }, tenantId }) => {
    const db = database.forTenant(tenantId);
    const [open, done] = await Promise.all([
      listCallBacks(db, 'open', { days, count: counts.open }),
      counts.done > 0 ? listCallBacks(db, 'done', { days, count: counts.done }) : [],
    ]);
    const open_total = open[0]?.total ?? 0;
    return ok({ open: open.map(callBackRecord), open_total, done: done.map(callBackRecord) });
  });

  route(app, callsRoutes.getCall, async ({ params, tenantId, identity }) => {
    return ok(await recordOf(database.forTenant(tenantId), params.id, identity));
  });

  route(app, callsRoutes.linkAppointment, async ({ params: { id }, body, tenantId, identity }) => {
    const scope = database.forTenant(tenantId);
    await scope.transaction(async (tx) => {
      const call = await lockCall(tx, id);
      if (!call?.is_complete) throw notFound('Call');
      // The first booking stays: another one, for example from a second tab, is no correction of it.
      if (call.booked_appointment_id !== null) return;
      const state = { ...call, booked_appointment_id: body.appointment_id };
      await writeCall(tx, call, state, { isLinkDue: call.is_link_due });
    });
    return ok(await recordOf(scope, id, identity));
  });

  route(app, callsRoutes.markCalledBack, async ({ params: { id }, body, tenantId }) => {
    const scope = database.forTenant(tenantId);
    const marked = await markCalledBack(scope, id, body.by);
    if (marked) return ok(callListAdminRecord(marked));
    if (!(await findCall(scope, id))) throw notFound('Call');
    throw invalid({ id: ['Only a missed inbound call can be marked as called back.'] });
  });

  route(app, callsRoutes.unmarkCalledBack, async ({ params: { id }, tenantId }) => {
    const call = await unmarkCalledBack(database.forTenant(tenantId), id);
    if (!call) throw notFound('Call');
    return ok(callListAdminRecord(call));
  });
}
