import { idempotent } from '@frontdesk/chassis';
import {
  callMessageSchema,
  callMessageWithBody,
  dataOf,
  listCallMessagesQuery,
  pageOf,
  pathId,
  removedRecord,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, page } from '@frontdesk/service';
import { deleteMessage, findMessage, listMessages, resetMessage } from '../data/call-message.repository.ts';
import { callMessageRecord, shownBody } from '../domain/call-message.ts';

const LIST = '/internal/tenants/:tenant_id/call-messages';
const SINGLE = `${LIST}/:id` as const;
const params = pathId.loose();
const config = { resource: 'Call message' };

/** What came in, as it came in. */
export function callMessageRoutes(app: App, deps: { database: Database; onReceived: () => void }): void {
  const { database, onReceived } = deps;

  app.get(
    LIST,
    { schema: { querystring: listCallMessagesQuery, response: { 200: pageOf(callMessageSchema) } } },
    async ({ tenantId, query }) => {
      const { rows, ...meta } = await listMessages(database, tenantId, query);
      return page(rows.map(callMessageRecord), { ...query, ...meta });
    },
  );

  app.get(
    SINGLE,
    { config, schema: { params, response: { 200: dataOf(callMessageWithBody) } } },
    async (request) => {
      const message = await findMessage(database.forTenant(request.tenantId), request.params.id);
      if (!message) throw notFound(config.resource);
      return ok({ ...callMessageRecord(message), body: shownBody(message.body) });
    },
  );

  app.delete(
    SINGLE,
    { config, schema: { params, response: { 200: dataOf(removedRecord) } } },
    async ({ tenantId, params: { id } }) => {
      if (!(await deleteMessage(database.forTenant(tenantId), id))) throw notFound(config.resource);
      return ok({ id, deleted: true as const });
    },
  );

  app.post(
    `${SINGLE}/replay`,
    { config, schema: { params, response: { 202: dataOf(callMessageSchema) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      return idempotent({ request, reply, scope }, async (transaction) => {
        const answer = await transaction(async (tx) => {
          const message = await resetMessage(tx, request.params.id);
          if (!message) throw notFound(config.resource);
          return { status: 202, body: ok(callMessageRecord(message)) };
        });
        onReceived();
        return answer;
      });
    },
  );
}
