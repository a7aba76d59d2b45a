import { callsRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { findSourcesOfTokens } from '../sources/call-source.repository.ts';
import type { RefusedMessages } from './receive-message.ts';

/** What the gateway asks about ingest addresses before it reads a message, and says of those that it refuses. */
export function findSourcesRoutes(
  app: App,
  { database, refused }: { database: Database; refused: RefusedMessages },
): void {
  route(app, callsRoutes.findSources, async ({ body }) => {
    const found = await findSourcesOfTokens(database.systemForRequests, body.tokens);
    return ok(found.map(({ token, tenant_id }) => (body.with_tenants ? { token, tenant_id } : token)));
  });

  route(app, callsRoutes.countRefusals, async ({ body }) => {
    const tokens = body.refused.map(({ token }) => token);
    const sources = new Map(
      (await findSourcesOfTokens(database.system, tokens)).map((source) => [source.token, source]),
    );
    let counted = 0;
    for (const { token, reason, messages } of body.refused) {
      const source = sources.get(token);
      if (!source) continue;
      refused.note(source, reason, messages);
      counted += messages;
    }
    return ok({ messages: counted });
  });
}
