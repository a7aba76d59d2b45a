import { dataOf, endpointAdminSchema, pathId, updateEndpointBody } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import type { EndpointChange } from '../clients/webhooks.client.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { changedEndpointForm } from './endpoint-form.rules.ts';
import type { EndpointPage } from './endpoint-page.ts';
import { urlFaults } from './endpoint-page.ts';

const SINGLE = '/settings/api/webhooks/:id';
const single = { params: pathId, response: { 200: dataOf(endpointAdminSchema) } };

/** One endpoint: how it is, and what of it can be changed. */
export function endpointRoutes(
  app: App,
  { webhooks, changes, page }: AreaDeps & { page: EndpointPage },
): void {
  const resource = 'Webhook endpoint';

  app.get(SINGLE, { config: { resource }, schema: single }, async (request, reply) => {
    if (!wantsJson(request)) return page.show(request, reply);
    return ok(await webhooks.endpoint(request.session, request.params.id));
  });

  const change = async (request: FastifyRequest, id: number, body: EndpointChange) => {
    const { session: by } = request;
    const { url: before } = await webhooks.endpoint(by, id);
    const subjectOf = ({ url }: { url: string }) => (url === before ? url : `${before} → ${url}`);
    return changes.make(request, { action: 'endpoint_changed', subject: before, subjectOf }, () =>
      webhooks.changeEndpoint(by, id, body),
    );
  };

  app.post(
    SINGLE,
    {
      config: {
        resource,
        needsConfirmation: true,
        moreFieldFaults: urlFaults(webhooks),
        errorPage: (request, reply, error) =>
          page.show(request, reply, {
            changeForm: formWithErrors(request, error, ['url', 'events', 'headers']),
          }),
      },
      schema: { ...single, body: changedEndpointForm },
    },
    async (request, reply) => {
      const { id } = request.params;
      const data = await change(request, id, request.body);
      const to = `/settings/api/webhooks/${id}`;
      return answerChange(request, reply, { data, notice: 'endpoint-changed', to });
    },
  );

  app.patch(
    SINGLE,
    {
      config: { resource, needsConfirmation: true, moreFieldFaults: urlFaults(webhooks) },
      schema: { ...single, body: updateEndpointBody.pick({ url: true, events: true, headers: true }) },
    },
    async (request) => ok(await change(request, request.params.id, request.body)),
  );
}
