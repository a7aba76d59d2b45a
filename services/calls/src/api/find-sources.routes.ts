import { dataOf, findSourcesBody, foundSources } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { findIngestTokens } from '../data/call-source.repository.ts';

/** Which ingest addresses exist: the gateway asks before it reads a message. */
export function findSourcesRoutes(app: App, { database }: { database: Database }): void {
  app.post(
    '/internal/call-sources/find',
    { schema: { body: findSourcesBody, response: { 200: dataOf(foundSources) } } },
    async ({ body }) => ok(await findIngestTokens(database.system, body.tokens)),
  );
}
