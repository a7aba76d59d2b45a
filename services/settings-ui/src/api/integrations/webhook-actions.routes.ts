import { dataOf, deliverySchema, endpointAdminSchema, pathId, rotatedSecret } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { MISSED_REPLAY, replaySubject } from '../../domain/integrations/replay-window.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { answerChange } from '../shared/changes.ts';
import { recordChanges } from '../shared/record-changes.ts';
import type { ApiPage } from './api-page.ts';
import type { EndpointPage } from './endpoint-page.ts';

const SINGLE = '/settings/api/webhooks/:id';
const WEBHOOKS_CARD = '/settings/api#webhooks';
const pageOf = (id: number) => `/settings/api/webhooks/${id}`;
/** A form says it in text. */
const forceField = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
/** What becomes of the events that came in during the pause. */
const resumeBody = z.preprocess(
  (body) => body ?? {},
  z.object({
    missed: z.enum(['send', 'leave'], 'The {field} field must be send or leave.').default('leave'),
  }),
);

interface WebhookActionDeps extends AreaDeps {
  page: ApiPage;
  endpointPage: EndpointPage;
}

/** What is done with an endpoint beyond the contract: pause and resume, another secret, a test; and its end. */
export function webhookActionRoutes(app: App, deps: WebhookActionDeps): void {
  const { webhooks, replays, changes, page, endpointPage } = deps;
  const resource = 'Webhook endpoint';
  const onPage = { resource, failurePage: endpointPage.showRefusal };
  const onList = { resource, failurePage: page.showRefusal };
  const subjectOf = async (tenantId: number, id: number) => (await webhooks.endpoint(tenantId, id)).url;

  const { post } = recordChanges(app, { changes, single: SINGLE, config: onPage, subjectOf });
  post({
    ...{ verb: 'pause', action: 'endpoint_paused', notice: 'endpoint-paused', schema: endpointAdminSchema },
    to: pageOf,
    work: ({ tenantId }, id) => webhooks.setActive(tenantId, id, false),
  });
  // The page that sent the test shows its result.
  post({
    ...{ verb: 'test', action: 'test_sent', notice: null, schema: deliverySchema, status: 202 },
    to: (id, delivery) => `${pageOf(id)}?test=${delivery.id}#test-answer`,
    work: ({ tenantId }, id) => webhooks.sendTest(tenantId, id),
  });
  recordChanges(app, { changes, single: SINGLE, config: onList, subjectOf }).remove({
    ...{ action: 'endpoint_deleted', notice: 'endpoint-deleted' },
    to: () => WEBHOOKS_CARD,
    work: ({ tenantId }, id) => webhooks.deleteEndpoint(tenantId, id),
  });

  app.post(
    `${SINGLE}/resume`,
    {
      config: onPage,
      schema: { params: pathId, body: resumeBody, response: { 200: dataOf(endpointAdminSchema) } },
    },
    async (request, reply) => {
      const { tenantId, params, body } = request;
      const url = await subjectOf(tenantId, params.id);
      const data = await changes.make(request, { action: 'endpoint_resumed', subject: url }, () =>
        webhooks.setActive(tenantId, params.id, true),
      );
      const to = pageOf(params.id);
      if (body.missed === 'leave')
        return answerChange(request, reply, { data, notice: 'endpoint-resumed', to });
      // Resumed it is, whatever becomes of this: where it is refused, the page goes on to offer it.
      const change = { action: 'replay_begun', subject: replaySubject(url, MISSED_REPLAY) } as const;
      await changes.make(request, change, () => replays.begin(tenantId, params.id, MISSED_REPLAY));
      return answerChange(request, reply, { data, notice: 'endpoint-resumed-sending', to });
    },
  );

  app.post(
    `${SINGLE}/rotate-secret`,
    {
      config: { ...onList, sentOnce: { notice: 'already-replaced', to: WEBHOOKS_CARD } },
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
