import { dataOf, deliverySchema, endpointAdminSchema, pathId, rotatedSecret } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { wantsJson } from './accept.ts';
import { answerChange } from './changes.ts';
import type { WebhookRoutesDeps } from './webhooks.routes.ts';

const SINGLE = '/settings/api/webhooks/:id';
const params = pathId;
/** A form says it in text. */
const forceField = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** What is done with an endpoint beyond the contract: pause and resume, another secret, a test. */
export function webhookActionRoutes(app: App, { webhooks, changes, page }: WebhookRoutesDeps): void {
  const config = { resource: 'Webhook endpoint', failurePage: page.showRefusal };

  for (const [verb, isActive] of [
    ['pause', false],
    ['resume', true],
  ] as const) {
    const action = isActive ? 'endpoint_resumed' : 'endpoint_paused';
    const notice = isActive ? 'endpoint-resumed' : 'endpoint-paused';
    app.post(
      `${SINGLE}/${verb}`,
      { config, schema: { params, response: { 200: dataOf(endpointAdminSchema) } } },
      async (request, reply) => {
        const {
          tenantId,
          params: { id },
        } = request;
        const { url: subject } = await webhooks.endpoint(tenantId, id);
        const data = await changes.make(request, { action, subject }, () =>
          webhooks.setActive(tenantId, id, isActive),
        );
        return answerChange(request, reply, { data, notice, at: 'webhooks' });
      },
    );
  }

  app.post(
    `${SINGLE}/rotate-secret`,
    {
      config,
      schema: {
        params,
        body: z.object({ force: forceField.default(false) }),
        response: { 200: dataOf(rotatedSecret) },
      },
    },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
        body,
      } = request;
      const { url } = await webhooks.endpoint(tenantId, id);
      const data = await changes.make(request, { action: 'secret_rotated', subject: url }, () =>
        webhooks.rotateSecret(tenantId, id, body.force),
      );
      if (wantsJson(request)) return ok(data);
      const { secret, previous_secret_until: previousUntil } = data;
      return page.show(request, reply, { justNow: { secret: { url, secret, previousUntil } } });
    },
  );

  app.post(
    `${SINGLE}/test`,
    { config, schema: { params, response: { 202: dataOf(deliverySchema) } } },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
      } = request;
      const { url: subject } = await webhooks.endpoint(tenantId, id);
      const data = await changes.make(request, { action: 'test_sent', subject }, () =>
        webhooks.sendTest(tenantId, id),
      );
      reply.code(202);
      return answerChange(request, reply, { data, notice: 'test-sent', at: 'deliveries' });
    },
  );
}
