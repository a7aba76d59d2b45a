import { callsRoutes } from '@frontdesk/contracts';
import { type App, notFound, ok, route } from '@frontdesk/service';
import { findSource } from '../sources/call-source.repository.ts';
import { callSourceRecord } from '../sources/call-source.rules.ts';
import { makeTestCall, type TestCallDeps } from './make-test-call.ts';

/** What would become of a call, without anybody calling. */
export function testCallRoutes(app: App, deps: TestCallDeps & { publicUrl: string }): void {
  route(app, callsRoutes.makeTestCall, async ({ tenantId, params, body }) => {
    const source = await findSource(deps.database.forTenant(tenantId), params.id);
    if (!source) throw notFound('Call source');
    const { ingest_url: url } = callSourceRecord(source, deps.publicUrl);
    return ok(await makeTestCall(deps, source, url, body));
  });
}
