import { dataOf, deliveryDetail, deliverySchema, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import { deliveryPage } from './delivery.view.ts';
import { loadDelivery } from './load-delivery.ts';

const SINGLE = '/settings/api/deliveries/:id';

export function deliveryRoutes(app: App, deps: AreaDeps): void {
  const { webhooks, changes, pages } = deps;
  const resource = 'Delivery';

  const show = async (request: FastifyRequest, reply: FastifyReply, refusal?: string) => {
    const { id } = request.params as { id: number };
    const loaded = await loadDelivery(deps, request.session, id);
    return pages.send(reply, deliveryPage(pages.context(request), { ...loaded, refusal }));
  };

  app.get(
    SINGLE,
    { config: { resource }, schema: { params: pathId, response: { 200: dataOf(deliveryDetail) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok(await webhooks.delivery(request.session, request.params.id));
    },
  );

  app.get(
    `${SINGLE}/download`,
    { config: { resource }, schema: { params: pathId } },
    async (request, reply) => {
      const { session: by } = request;
      const { id } = request.params;
      const delivery = await webhooks.delivery(by, id);
      return reply
        .header('content-disposition', `attachment; filename="delivery-${id}.json"`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(delivery, null, 2));
    },
  );

  const { post } = recordChanges(app, {
    changes,
    single: SINGLE,
    config: {
      resource,
      errorPage: (request, reply, error) => show(request, reply, errorText(error)),
    },
    subjectOf: async (by, id) => `${(await webhooks.delivery(by, id)).event}, delivery ${id}`,
  });
  post({
    verb: 'send-now',
    action: 'delivery_sent_now',
    notice: 'delivery-sent-now',
    schema: deliverySchema,
    status: 202,
    to: (id) => `/settings/api/deliveries/${id}`,
    work: ({ session: by }, id) => webhooks.sendNow(by, id),
  });
  post({
    verb: 'resend',
    action: 'delivery_resent',
    notice: 'delivery-resent',
    schema: deliverySchema,
    status: 202,
    to: (id) => `/settings/api/deliveries/${id}`,
    work: ({ session: by }, id) => webhooks.resend(by, id),
  });
}
