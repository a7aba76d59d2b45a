import { dataOf, deliverySchema, endpointAdminSchema, pathId, rotatedSecret } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { wantsJson } from '../shared/accept.ts';
import { recordChanges } from '../shared/record-changes.ts';
import type { WebhookRoutesDeps } from './webhooks.routes.ts';

const SINGLE = '/settings/api/webhooks/:id';
const WEBHOOKS_CARD = '/settings/api#webhooks';
/** A form says it in text. */
const forceField = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** What is done with an endpoint beyond the contract: pause and resume, another secret, a test; and its end. */
export function webhookActionRoutes(app: App, { webhooks, changes, page }: WebhookRoutesDeps): void {
  const config = { resource: 'Webhook endpoint', failurePage: page.showRefusal };
  const subjectOf = async (tenantId: number, id: number) => (await webhooks.endpoint(tenantId, id)).url;
  const { post, remove } = recordChanges(app, { changes, single: SINGLE, config, subjectOf });

  post({
    ...{ verb: 'pause', action: 'endpoint_paused', notice: 'endpoint-paused', schema: endpointAdminSchema },
    to: () => WEBHOOKS_CARD,
    work: ({ tenantId }, id) => webhooks.setActive(tenantId, id, false),
  });
  post({
    ...{
      verb: 'resume',
      action: 'endpoint_resumed',
      notice: 'endpoint-resumed',
      schema: endpointAdminSchema,
    },
    to: () => WEBHOOKS_CARD,
    work: ({ tenantId }, id) => webhooks.setActive(tenantId, id, true),
  });
  post({
    ...{ verb: 'test', action: 'test_sent', notice: 'test-sent', schema: deliverySchema, status: 202 },
    to: () => '/settings/api#deliveries',
    work: ({ tenantId }, id) => webhooks.sendTest(tenantId, id),
  });
  remove({
    ...{ action: 'endpoint_deleted', notice: 'endpoint-deleted' },
    to: () => WEBHOOKS_CARD,
    work: ({ tenantId }, id) => webhooks.deleteEndpoint(tenantId, id),
  });

  app.post(
    `${SINGLE}/rotate-secret`,
    {
      config: { ...config, sentOnce: { notice: 'already-replaced', to: WEBHOOKS_CARD } },
      schema: {
        params: pathId,
        body: z.object({ force: forceField.default(false) }),
        response: { 200: dataOf(rotatedSecret) },
      },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const url = await subjectOf(tenantId, params.id);
      const data = await changes.make(request, { action: 'secret_rotated', subject: url }, () =>
        webhooks.rotateSecret(tenantId, params.id, body.force),
      );
      if (wantsJson(request)) return ok(data);
      const { secret, previous_secret_until: previousUntil } = data;
      return page.show(request, reply, { justNow: { secret: { url, secret, previousUntil } } });
    },
  );
}
