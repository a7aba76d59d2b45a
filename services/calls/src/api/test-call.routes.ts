import { dataOf, pathId, testCallBody, testCallSchema } from '@frontdesk/contracts';
import { type App, notFound, ok } from '@frontdesk/service';
import { findSource } from '../data/call-source.repository.ts';
import { callSourceRecord } from '../domain/call-source.ts';
import { makeTestCall, type TestCallDeps } from '../use-cases/make-test-call.ts';
import { SOURCES } from './call-sources.routes.ts';

const config = { resource: 'Call source' };

/** What would become of a call, without anybody calling. */
export function testCallRoutes(app: App, deps: TestCallDeps & { publicUrl: string }): void {
  app.post(
    `${SOURCES}/:id/test-call`,
    {
      config,
      schema: { params: pathId.loose(), body: testCallBody, response: { 200: dataOf(testCallSchema) } },
    },
    async ({ tenantId, params, body }) => {
      const source = await findSource(deps.database.forTenant(tenantId), params.id);
      if (!source) throw notFound(config.resource);
      const { ingest_url: url } = callSourceRecord(source, deps.publicUrl);
      return ok(await makeTestCall(deps, source, url, body));
    },
  );
}
