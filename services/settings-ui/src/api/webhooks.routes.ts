import { createEndpointBody, dataOf, endpointMade, pathId, removedRecord } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { WebhooksClient } from '../clients/webhooks.client.ts';
import { wantsJson } from './accept.ts';
import type { ApiPage } from './api-page.ts';
import { answerChange, type Changes } from './changes.ts';
import { formStateOf } from './pages.ts';

const WEBHOOKS = '/settings/api/webhooks';
/** Of a form's checkboxes, one that is checked arrives as a text, several as a list. */
export const endpointForm = z.preprocess((body) => {
  const { events, ...rest } = Object(body) as { events?: unknown };
  return { ...rest, events: typeof events === 'string' ? [events] : events };
}, createEndpointBody);

export interface WebhookRoutesDeps {
  webhooks: WebhooksClient;
  changes: Changes;
  page: ApiPage;
}

export function webhookRoutes(app: App, { webhooks, changes, page }: WebhookRoutesDeps): void {
  const config = { resource: 'Webhook endpoint', failurePage: page.showRefusal };

  app.post(
    WEBHOOKS,
    {
      schema: { body: endpointForm, response: { 201: dataOf(endpointMade) } },
      config: {
        failurePage: (request, reply, error) =>
          page.show(request, reply, {
            justNow: { endpointForm: formStateOf(request, error, ['url', 'events']) },
          }),
      },
    },
    async (request, reply) => {
      const { tenantId, body } = request;
      const change = { action: 'endpoint_added', subject: body.url } as const;
      const endpoint = await changes.make(request, change, () => webhooks.addEndpoint(tenantId, body));
      reply.code(201);
      if (wantsJson(request)) return ok(endpoint);
      return page.show(request, reply, { justNow: { secret: { ...endpoint, previousUntil: null } } });
    },
  );

  const remove = async (request: FastifyRequest, reply: FastifyReply, id: number) => {
    const { tenantId } = request;
    const { url: subject } = await webhooks.endpoint(tenantId, id);
    const data = await changes.make(request, { action: 'endpoint_deleted', subject }, () =>
      webhooks.deleteEndpoint(tenantId, id),
    );
    return answerChange(request, reply, { data, notice: 'endpoint-deleted', at: 'webhooks' });
  };
  const removal = { config, schema: { params: pathId, response: { 200: dataOf(removedRecord) } } };
  app.delete(`${WEBHOOKS}/:id`, removal, (request, reply) => remove(request, reply, request.params.id));
  // Forms can send nothing but GET and POST.
  app.post(`${WEBHOOKS}/:id/delete`, removal, (request, reply) => remove(request, reply, request.params.id));
}
