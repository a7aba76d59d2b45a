import { operations, withoutTranscript } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, hasScope, notFound, page, route, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findCall } from './call.repository.ts';
import { callListRecord, callRecord } from './call.rules.ts';
import { listCallsOfTenant } from './list-calls.ts';

interface CallsDeps {
  database: Database;
  tenants: TenantDirectory;
}

/** The list and one call, for integrators. */
export function callRoutes(app: App, deps: CallsDeps): void {
  route(app, operations.listCalls, async ({ query, tenantId }) => {
    const { rows, ...meta } = await listCallsOfTenant(deps, tenantId, query);
    return page(rows.map(callListRecord), { ...query, ...meta });
  });

  route(app, operations.getCall, async ({ params, tenantId, identity }, reply) => {
    const call = await findCall(deps.database.forTenant(tenantId), params.id);
    if (!call) throw notFound('Call');
    const whole = callRecord(call, call.transcript ?? []);
    const seesTranscripts = hasScope(identity, 'calls:transcripts');
    const record = seesTranscripts ? whole : withoutTranscript(whole);
    // The source's name is its own, and may be changed. A transcript is long, and changes with the version only.
    const { transcript: _, ...shown } = record;
    return versioned(reply, call.version, record, seesTranscripts ? shown : { ...shown, transcript: null });
  });
}
