import { dataOf, pathId, replaySchema } from '@frontdesk/contracts';
import { type App, invalid, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeysClient } from '../clients/keys.client.ts';
import type { ReplaysClient } from '../clients/replays.client.ts';
import type { WebhooksClient } from '../clients/webhooks.client.ts';
import { zoneOf } from '../domain/api-settings.ts';
import { replayForm, windowOf } from '../domain/replay-window.ts';
import { orNull } from '../use-cases/load-api-settings.ts';
import { type Replay, replayList } from '../views/replays.view.ts';
import { wantsJson } from './accept.ts';
import type { Changes } from './changes.ts';
import type { EndpointPage } from './endpoint-page.ts';
import { LIVE_ROUTE, type LiveStreams } from './live-streams.ts';
import type { Notice } from './notices.ts';
import { formStateOf, type Pages } from './pages.ts';

const OF_ENDPOINT = '/settings/api/webhooks/:id/replays';
const SINGLE = '/settings/api/replays/:id';
const params = pathId;
const endpoint = { resource: 'Webhook endpoint' };

export interface ReplayRoutesDeps {
  gateway: Pick<KeysClient, 'tenant'>;
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

  const answer = (request: FastifyRequest, reply: FastifyReply, replay: Replay, notice: Notice) => {
    if (wantsJson(request)) return ok(replay);
    return reply.redirect(`/settings/api/webhooks/${replay.endpoint_id}?done=${notice}#replays`, 303);
  };

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
          page.show(request, reply, { replayForm: formStateOf(request, error, ['from', 'to']) }),
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
      const replay = await changes.make(request, { action: 'replay_begun', subject: `${url}: ${what}` }, () =>
        replays.begin(tenantId, id, wanted),
      );
      reply.code(202);
      return answer(request, reply, replay, 'replay-begun');
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

  app.post(
    `${SINGLE}/cancel`,
    { config: { resource: 'Replay' }, schema: { params, response: { 200: dataOf(replaySchema) } } },
    async (request, reply) => {
      const {
        tenantId,
        params: { id },
      } = request;
      const { endpoint_id } = await replays.replay(tenantId, id);
      const { url } = await webhooks.endpoint(tenantId, endpoint_id);
      const replay = await changes.make(request, { action: 'replay_cancelled', subject: url }, () =>
        replays.cancel(tenantId, id),
      );
      return answer(request, reply, replay, 'replay-cancelled');
    },
  );
}
