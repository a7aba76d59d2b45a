import {
  dataOf,
  deliverySchema,
  endpointAdminSchema,
  endpointMade,
  pathId,
  rotatedSecret,
} from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import type { FormState } from '../ui/page-context.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { newEndpointForm } from './endpoint-form.rules.ts';
import { type EndpointPage, urlFaults } from './endpoint-page.ts';
import type { MadeSecret } from './endpoints.view.ts';
import { MISSED_REPLAY, replaySubject } from './replay-window.rules.ts';

const WEBHOOKS = '/settings/api/webhooks';
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

/** The page that lists the endpoints, with what a change leaves on it this once. */
interface EndpointListPage {
  show(
    request: FastifyRequest,
    reply: FastifyReply,
    options: { justNow: { secret?: MadeSecret; endpointForm?: FormState } },
  ): Promise<FastifyReply>;
  showError: ErrorPage;
}

interface EndpointChangesDeps extends AreaDeps {
  page: EndpointPage;
  list: EndpointListPage;
}

/** What is done with endpoints: a new one; pause and resume, a test, another secret, and its end. */
export function endpointChangesRoutes(app: App, deps: EndpointChangesDeps): void {
  const { webhooks, replays, changes, page, list } = deps;
  addRoute(app, deps);
  const resource = 'Webhook endpoint';
  const onPage = { resource, errorPage: page.showError };
  const onList = { resource, errorPage: list.showError };
  const subjectOf = async (by: By, id: number) => (await webhooks.endpoint(by, id)).url;

  const { post } = recordChanges(app, { changes, single: SINGLE, config: onPage, subjectOf });
  post({
    verb: 'pause',
    action: 'endpoint_paused',
    isAlwaysMade: true,
    notice: 'endpoint-paused',
    schema: endpointAdminSchema,
    to: pageOf,
    work: ({ session: by }, id) => webhooks.setActive(by, id, false),
  });
  // The page that sent the test shows its result.
  post({
    verb: 'test',
    action: 'test_sent',
    notice: null,
    schema: deliverySchema,
    status: 202,
    to: (id, delivery) => `${pageOf(id)}?test=${delivery.id}#test-answer`,
    work: ({ session: by }, id) => webhooks.sendTest(by, id),
  });
  recordChanges(app, { changes, single: SINGLE, config: onList, subjectOf }).remove({
    action: 'endpoint_deleted',
    isAlwaysMade: true,
    notice: 'endpoint-deleted',
    to: () => WEBHOOKS_CARD,
    work: ({ session: by }, id) => webhooks.deleteEndpoint(by, id),
  });

  app.post(
    `${SINGLE}/resume`,
    {
      config: { ...onPage, needsConfirmation: true },
      schema: { params: pathId, body: resumeBody, response: { 200: dataOf(endpointAdminSchema) } },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const url = await subjectOf(by, params.id);
      const data = await changes.make(request, { action: 'endpoint_resumed', subject: url }, () =>
        webhooks.setActive(by, params.id, true),
      );
      const to = pageOf(params.id);
      if (body.missed === 'leave')
        return answerChange(request, reply, { data, notice: 'endpoint-resumed', to });
      // Resumed it is, whatever becomes of this: where it is refused, the page goes on to offer it.
      const change = { action: 'replay_begun', subject: replaySubject(url, MISSED_REPLAY) } as const;
      await changes.make(request, change, () => replays.begin(by, params.id, MISSED_REPLAY));
      return answerChange(request, reply, { data, notice: 'endpoint-resumed-sending', to });
    },
  );

  app.post(
    `${SINGLE}/rotate-secret`,
    {
      config: {
        ...onList,
        isAlwaysMade: true,
        needsConfirmation: true,
        sentOnce: { notice: 'already-replaced', to: WEBHOOKS_CARD },
      },
      schema: {
        params: pathId,
        body: z.object({ force: forceField.default(false) }),
        response: { 200: dataOf(rotatedSecret) },
      },
    },
    async (request, reply) => {
      const { session: by, params, body } = request;
      const url = await subjectOf(by, params.id);
      const data = await changes.make(
        request,
        { action: 'secret_rotated', subject: url, record: params.id },
        () => webhooks.rotateSecret(by, params.id, body.force),
      );
      if (wantsJson(request)) return ok(data);
      const { secret, previous_secret_until: previousUntil } = data;
      return list.show(request, reply, { justNow: { secret: { url, secret, previousUntil } } });
    },
  );
}

/** A new endpoint, whose secret the page shows this once. */
function addRoute(app: App, { webhooks, changes, list }: EndpointChangesDeps): void {
  app.post(
    WEBHOOKS,
    {
      schema: { body: newEndpointForm, response: { 201: dataOf(endpointMade) } },
      config: {
        needsConfirmation: true,
        moreFieldFaults: urlFaults(webhooks),
        sentOnce: { notice: 'already-created', to: WEBHOOKS_CARD },
        errorPage: (request, reply, error) =>
          list.show(request, reply, {
            justNow: { endpointForm: formWithErrors(request, error, ['url', 'events', 'scopes', 'headers']) },
          }),
      },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      const change = { action: 'endpoint_added', subject: body.url } as const;
      const endpoint = await changes.make(request, change, () => webhooks.addEndpoint(by, body));
      reply.code(201);
      if (wantsJson(request)) return ok(endpoint);
      return list.show(request, reply, { justNow: { secret: { ...endpoint, previousUntil: null } } });
    },
  );
}
