import { dataOf, pathId, replaySchema } from '@frontdesk/contracts';
import { type App, invalid, ok } from '@frontdesk/service';
import type { GatewayClient } from '../../clients/gateway.client.ts';
import type { ReplaysClient } from '../../clients/replays.client.ts';
import type { WebhooksClient } from '../../clients/webhooks.client.ts';
import { zoneOf } from '../../domain/dates.ts';
import { replayForm, windowOf } from '../../domain/replay-window.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { replayList } from '../../views/integrations/replays.view.ts';
import { answerChange, type Changes } from '../shared/changes.ts';
import { LIVE_ROUTE, type LiveStreams } from '../shared/live-streams.ts';
import type { Pages } from '../shared/pages.ts';
import { recordChanges } from '../shared/record-changes.ts';
import { refusedForm } from '../shared/refusals.ts';
import type { EndpointPage } from './endpoint-page.ts';

const OF_ENDPOINT = '/settings/api/webhooks/:id/replays';
const SINGLE = '/settings/api/replays/:id';
const params = pathId;
const endpoint = { resource: 'Webhook endpoint' };
const replaysCardOf = (endpointId: number) => `/settings/api/webhooks/${endpointId}#replays`;

export interface ReplayRoutesDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  webhooks: WebhooksClient;
  replays: ReplaysClient;
  changes: Changes;
  page: EndpointPage;
  pages: Pages;
  streams: LiveStreams;
}

/** Sending again what failed, or what came in within a time: to begin it, to follow it, to stop it. */
export function replayRoutes(app: App, deps: ReplayRoutesDeps): void {
  const { gateway, webhooks, replays, changes, page, pages, streams } = deps;

  app.get(
    OF_ENDPOINT,
    { config: endpoint, schema: { params, response: { 200: dataOf(replaySchema.array()) } } },
    async ({ tenantId, params: { id } }) => ok(await replays.latest(tenantId, id)),
  );

  app.post(
    OF_ENDPOINT,
    {
      config: {
        ...endpoint,
        failurePage: (request, reply, error) =>
          page.show(request, reply, { replayForm: refusedForm(request, error, ['from', 'to']) }),
      },
      schema: { params, body: replayForm, response: { 202: dataOf(replaySchema) } },
    },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
      } = request;
      const { replay: wanted, errors } = windowOf(request.body);
      if (!wanted) throw invalid(errors);
      const { url } = await webhooks.endpoint(tenantId, id);
      const what =
        wanted.kind === 'failed'
          ? 'what failed'
          : `${wanted.from?.toISOString()} – ${wanted.to?.toISOString()}`;
      const data = await changes.make(request, { action: 'replay_begun', subject: `${url}: ${what}` }, () =>
        replays.begin(tenantId, id, wanted),
      );
      reply.code(202);
      return answerChange(request, reply, { data, notice: 'replay-begun', to: replaysCardOf(id) });
    },
  );

  app.get(`${OF_ENDPOINT}/live`, { ...LIVE_ROUTE, schema: { params } }, async (request, reply) => {
    const {
      tenantId,
      params: { id },
    } = request;
    const zone = zoneOf({ tenant: await orNull(gateway.tenant(tenantId)) });
    // One token for all of a stream: with another each time, everything would look changed.
    const context = pages.context(request);
    return streams.send(request, reply, async () => {
      const [endpoint, latest] = await Promise.all([
        webhooks.endpoint(tenantId, id),
        orNull(replays.latest(tenantId, id)),
      ]);
      return replayList(context, { endpoint, replays: latest, zone }).toString();
    });
  });

  recordChanges(app, {
    ...{ changes, single: SINGLE, config: { resource: 'Replay' } },
    subjectOf: async (tenantId, id) => {
      const { endpoint_id } = await replays.replay(tenantId, id);
      return (await webhooks.endpoint(tenantId, endpoint_id)).url;
    },
  }).post({
    ...{ verb: 'cancel', action: 'replay_cancelled', notice: 'replay-cancelled', schema: replaySchema },
    to: (_id, { endpoint_id }) => replaysCardOf(endpoint_id),
    work: ({ tenantId }, id) => replays.cancel(tenantId, id),
  });
}
