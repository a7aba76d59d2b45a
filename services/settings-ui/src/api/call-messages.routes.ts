import { callMessageSchema, callMessageWithBody, dataOf, pathId, removedRecord } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { zoneOf } from '../domain/api-settings.ts';
import { orNull } from '../use-cases/load-api-settings.ts';
import type { CallsClients } from '../use-cases/load-calls.ts';
import { callMessagePage } from '../views/call-message.view.ts';
import { messageAddress } from '../views/call-words.ts';
import { EMPTY_FORM } from '../views/page-context.ts';
import { wantsJson } from './accept.ts';
import { answerAt } from './call-sources.routes.ts';
import type { Changes } from './changes.ts';
import { formStateOf, type Pages } from './pages.ts';

const MESSAGE = '/settings/calls/messages/:id';
const params = pathId;
const resource = 'Call message';

/** One message as it came in: looked at, read again, deleted. */
export function callMessageRoutes(app: App, deps: CallsClients & { changes: Changes; pages: Pages }): void {
  const { gateway, calls, changes, pages } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const { tenantId } = request;
    const { id } = request.params as { id: number };
    const [message, sources, tenant] = await Promise.all([
      calls.message(tenantId, id),
      orNull(calls.sources(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    const sourceName = sources?.find((source) => source.id === message.source_id)?.name ?? null;
    const page = { message, sourceName, zone: zoneOf({ tenant }), form };
    return pages.send(reply, callMessagePage(pages.context(request), page));
  };
  const config = {
    resource,
    failurePage: (request: FastifyRequest, reply: FastifyReply, error: Parameters<typeof formStateOf>[1]) =>
      show(request, reply, formStateOf(request, error, [])),
  };

  app.get(
    MESSAGE,
    { config: { resource }, schema: { params, response: { 200: dataOf(callMessageWithBody) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok(await calls.message(request.tenantId, request.params.id));
    },
  );

  app.post(
    `${MESSAGE}/replay`,
    { config, schema: { params, response: { 202: dataOf(callMessageSchema) } } },
    async (request, reply) => {
      const { id } = request.params;
      const change = { action: 'call_message_read_again', subject: `Message ${id}` } as const;
      const data = await changes.make(request, change, () => calls.readAgain(request.tenantId, id));
      reply.code(202);
      return answerAt(request, reply, { data, notice: 'message-replayed', path: messageAddress(id) });
    },
  );

  const remove = async (request: FastifyRequest, reply: FastifyReply, id: number) => {
    const change = { action: 'call_message_deleted', subject: `Message ${id}` } as const;
    const data = await changes.make(request, change, () => calls.deleteMessage(request.tenantId, id));
    return answerAt(request, reply, { data, notice: 'message-deleted', path: '/settings/calls' });
  };
  const removal = { config, schema: { params, response: { 200: dataOf(removedRecord) } } };
  app.delete(MESSAGE, removal, (request, reply) => remove(request, reply, request.params.id));
  // Forms can send nothing but GET and POST.
  app.post(`${MESSAGE}/delete`, removal, (request, reply) => remove(request, reply, request.params.id));
}
