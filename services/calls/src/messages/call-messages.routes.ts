import { callsRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, page, route } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { deleteMessage, findMessage, listMessages, resetMessage } from './call-message.repository.ts';
import { callMessageRecord, shownBody } from './call-message-record.rules.ts';

/** What came in, as it came in. */
export function callMessageRoutes(app: App, deps: { database: Database; onReceived: () => void }): void {
  const { database, onReceived } = deps;

  route(app, callsRoutes.listMessages, async ({ tenantId, query }) => {
    const { rows, ...meta } = await listMessages(database, tenantId, query);
    return page(rows.map(callMessageRecord), { ...query, ...meta });
  });

  route(app, callsRoutes.getMessage, async (request) => {
    const message = await findMessage(database.forTenant(request.tenantId), request.params.id);
    if (!message) throw notFound('Call message');
    return ok({ ...callMessageRecord(message), body: shownBody(message.body) });
  });

  route(app, callsRoutes.deleteMessage, async ({ tenantId, params: { id } }) => {
    if (!(await deleteMessage(database.forTenant(tenantId), id))) throw notFound('Call message');
    return ok({ id, deleted: true as const });
  });

  route(app, callsRoutes.replayMessage, async (request, reply) => {
    const scope = database.forTenant(request.tenantId);
    return idempotent({ request, reply, scope }, async (transaction) => {
      const answer = await transaction(async (tx) => {
        const message = await resetMessage(tx, request.params.id);
        if (!message) throw notFound('Call message');
        return { status: 202, body: ok(callMessageRecord(message)) };
      });
      onReceived();
      return answer;
    });
  });
}
