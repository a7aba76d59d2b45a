import { callMessageSchema, callMessageWithBody, dataOf, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { messageAddress, SOURCES } from '../records/addresses.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import { callMessagePage } from './call-message.view.ts';
import { loadMessageSource } from './load-call-sources.ts';

const MESSAGE = '/settings/calls/messages/:id';
const resource = 'Call message';

/** One message as it came in: looked at, read again, deleted. */
export function callMessageRoutes(app: App, deps: AreaDeps): void {
  const { calls, changes, pages } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, refusal?: string) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const message = await calls.message(by, id);
    const page = { message, ...(await loadMessageSource(deps, by, message.source_id)), refusal };
    return pages.send(reply, callMessagePage(pages.context(request), page));
  };
  app.get(
    MESSAGE,
    { config: { resource }, schema: { params: pathId, response: { 200: dataOf(callMessageWithBody) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok(await calls.message(request.session, request.params.id));
    },
  );

  const { post, remove } = recordChanges(app, {
    changes,
    single: MESSAGE,
    config: {
      resource,
      errorPage: (request, reply, error) => show(request, reply, errorText(error)),
    },
    subjectOf: (_tenantId, id) => `Message ${id}`,
  });
  post({
    verb: 'replay',
    action: 'call_message_read_again',
    notice: 'message-replayed',
    schema: callMessageSchema,
    status: 202,
    to: messageAddress,
    work: ({ session: by }, id) => calls.readAgain(by, id),
  });
  remove({
    action: 'call_message_deleted',
    notice: 'message-deleted',
    to: () => SOURCES,
    work: ({ session: by }, id) => calls.deleteMessage(by, id),
  });
}
