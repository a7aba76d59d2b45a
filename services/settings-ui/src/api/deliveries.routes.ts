import { dataOf, deliveryDetail, deliverySchema, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeysClient } from '../clients/keys.client.ts';
import type { WebhooksClient } from '../clients/webhooks.client.ts';
import { zoneOf } from '../domain/api-settings.ts';
import { orNull } from '../use-cases/load-api-settings.ts';
import { deliveryPage } from '../views/delivery.view.ts';
import { EMPTY_FORM } from '../views/page-context.ts';
import { wantsJson } from './accept.ts';
import type { Changes } from './changes.ts';
import { formStateOf, type Pages } from './pages.ts';

const SINGLE = '/settings/api/deliveries/:id';

export interface DeliveryRoutesDeps {
  gateway: Pick<KeysClient, 'tenant'>;
  webhooks: WebhooksClient;
  changes: Changes;
  pages: Pages;
}

export function deliveryRoutes(app: App, { gateway, webhooks, changes, pages }: DeliveryRoutesDeps): void {
  const resource = 'Delivery';

  const show = async (request: FastifyRequest, reply: FastifyReply, form = EMPTY_FORM) => {
    const { tenantId } = request;
    const { id } = request.params as { id: number };
    const [delivery, endpoints, tenant] = await Promise.all([
      webhooks.delivery(tenantId, id),
      orNull(webhooks.endpoints(tenantId)),
      orNull(gateway.tenant(tenantId)),
    ]);
    const url = endpoints?.find((endpoint) => endpoint.id === delivery.endpoint_id)?.url ?? null;
    const page = { delivery, url, zone: zoneOf({ tenant }), form };
    return pages.send(reply, deliveryPage(pages.context(request), page));
  };

  app.get(
    SINGLE,
    { config: { resource }, schema: { params: pathId, response: { 200: dataOf(deliveryDetail) } } },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      return ok(await webhooks.delivery(request.tenantId, request.params.id));
    },
  );

  app.get(
    `${SINGLE}/download`,
    { config: { resource }, schema: { params: pathId } },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
      } = request;
      const delivery = await webhooks.delivery(tenantId, id);
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="delivery-${id}.json"`,
        })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(delivery, null, 2));
    },
  );

  app.post(
    `${SINGLE}/resend`,
    {
      config: {
        resource,
        failurePage: (request, reply, error) => show(request, reply, formStateOf(request, error, [])),
      },
      schema: { params: pathId, response: { 202: dataOf(deliverySchema) } },
    },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
      } = request;
      const { event } = await webhooks.delivery(tenantId, id);
      const data = await changes.make(
        request,
        { action: 'delivery_resent', subject: `${event}, delivery ${id}` },
        () => webhooks.resend(tenantId, id),
      );
      reply.code(202);
      if (wantsJson(request)) return ok(data);
      return reply.redirect(`/settings/api/deliveries/${id}?done=delivery-resent`, 303);
    },
  );
}
