import { dataOf, pathId, replaySchema } from '@frontdesk/contracts';
import { type App, invalid, ok } from '@frontdesk/service';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import type { EndpointPage } from './endpoint-page.ts';
import { replayForm, replaySubject, windowOf } from './replay-window.rules.ts';

const OF_ENDPOINT = '/settings/api/webhooks/:id/replays';
const SINGLE = '/settings/api/replays/:id';
const params = pathId;
const endpoint = { resource: 'Webhook endpoint' };
const replaysCardOf = (endpointId: number) => `/settings/api/webhooks/${endpointId}#replays`;

/** Sending again what failed, or what came in within a time or a pause: to begin it, to stop it. */
export function replayRoutes(
  app: App,
  { webhooks, replays, changes, page }: AreaDeps & { page: EndpointPage },
): void {
  app.get(
    OF_ENDPOINT,
    { config: endpoint, schema: { params, response: { 200: dataOf(replaySchema.array()) } } },
    async ({ session: by, params: { id } }) => ok(await replays.latest(by, id)),
  );

  app.post(
    OF_ENDPOINT,
    {
      config: {
        ...endpoint,
        needsConfirmation: true,
        errorPage: (request, reply, error) =>
          page.show(request, reply, { replayForm: formWithErrors(request, error, ['from', 'to']) }),
      },
      schema: { params, body: replayForm, response: { 202: dataOf(replaySchema) } },
    },
    async (request, reply) => {
      const { session: by } = request;
      const { id } = request.params;
      const { replay: wanted, errors } = windowOf(request.body);
      if (!wanted) throw invalid(errors);
      const { url } = await webhooks.endpoint(by, id);
      const change = { action: 'replay_begun', subject: replaySubject(url, wanted) } as const;
      const data = await changes.make(request, change, () => replays.begin(by, id, wanted));
      reply.code(202);
      return answerChange(request, reply, { data, notice: 'replay-begun', to: replaysCardOf(id) });
    },
  );

  recordChanges(app, {
    changes,
    single: SINGLE,
    config: { resource: 'Replay' },
    subjectOf: async (by, id) => {
      const { endpoint_id } = await replays.replay(by, id);
      return (await webhooks.endpoint(by, endpoint_id)).url;
    },
  }).post({
    verb: 'cancel',
    action: 'replay_cancelled',
    notice: 'replay-cancelled',
    schema: replaySchema,
    to: (_id, { endpoint_id }) => replaysCardOf(endpoint_id),
    work: ({ session: by }, id) => replays.cancel(by, id),
  });
}
