import { createEndpointBody, dataOf, endpointMade } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { WebhooksClient } from '../../clients/webhooks.client.ts';
import { formInto } from '../../domain/shared/sent-form.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { refusedForm } from '../shared/refusals.ts';
import type { ApiPage } from './api-page.ts';

const WEBHOOKS = '/settings/api/webhooks';
/** Of a form's checkboxes, one that is checked arrives as a text, several as a list. */
export const endpointForm = formInto({}, createEndpointBody, ({ events, ...rest }) => ({
  ...rest,
  events: typeof events === 'string' ? [events] : events,
}));

/** An address that can't be an endpoint's, beside the other faults of a request: its owner knows. */
export const urlFaults =
  (webhooks: WebhooksClient) =>
  async ({ body, tenantId }: FastifyRequest): Promise<Record<string, string[]>> => {
    const { url } = (body ?? {}) as { url?: unknown };
    const faults = typeof url === 'string' ? await webhooks.urlFaults(tenantId, url) : null;
    return faults ? { url: faults } : {};
  };

export function webhookRoutes(app: App, { webhooks, changes, page }: AreaDeps & { page: ApiPage }): void {
  app.post(
    WEBHOOKS,
    {
      schema: { body: endpointForm, response: { 201: dataOf(endpointMade) } },
      config: {
        moreFaults: urlFaults(webhooks),
        sentOnce: { notice: 'already-created', to: '/settings/api#webhooks' },
        failurePage: (request, reply, error) =>
          page.show(request, reply, {
            justNow: { endpointForm: refusedForm(request, error, ['url', 'events']) },
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
}
