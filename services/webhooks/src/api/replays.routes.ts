import { idempotent } from '@frontdesk/chassis';
import {
  createReplayBody,
  dataOf,
  missedEvents,
  pageOf,
  pageQuery,
  pathId,
  replaySchema,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, page } from '@frontdesk/service';
import { findEndpoint } from '../data/endpoint.repository.ts';
import { cancelReplay, findReplay, listReplays } from '../data/replay.repository.ts';
import { replayRecord } from '../domain/replay.ts';
import { missedEventsOf } from '../use-cases/missed-events.ts';
import { startReplay } from '../use-cases/start-replay.ts';

const WEBHOOKS = '/internal/tenants/:tenant_id/webhooks';
const OF_ENDPOINT = `${WEBHOOKS}/:id/replays` as const;
const SINGLE = `${WEBHOOKS}/replays/:id` as const;
const params = pathId.loose();
const single = { params, response: { 200: dataOf(replaySchema) } };
const endpoint = { resource: 'Webhook endpoint' };
const config = { resource: 'Replay' };

export interface ReplayRoutesDeps {
  database: Database;
  retentionDays: number;
  /** A replay has begun. */
  onBegun: () => void;
}

export function replayRoutes(app: App, { database, retentionDays, onBegun }: ReplayRoutesDeps): void {
  app.post(
    OF_ENDPOINT,
    { config: endpoint, schema: { params, body: createReplayBody, response: { 202: dataOf(replaySchema) } } },
    async (request, reply) => {
      const { tenantId, body } = request;
      const scope = database.forTenant(tenantId);
      return idempotent({ request, reply, scope }, async (transaction) => {
        const answer = await transaction(async (tx) => {
          const replay = await startReplay(tx, request.params.id, body, retentionDays);
          const headers = { location: `/internal/tenants/${tenantId}/webhooks/replays/${replay.id}` };
          return { status: 202, body: ok(replayRecord(replay)), headers };
        });
        onBegun();
        return answer;
      });
    },
  );

  app.get(
    `${WEBHOOKS}/:id/missed`,
    { config: endpoint, schema: { params, response: { 200: dataOf(missedEvents) } } },
    async ({ tenantId, params: { id } }) => ok(await missedEventsOf(database.forTenant(tenantId), id)),
  );

  app.get(
    OF_ENDPOINT,
    { config: endpoint, schema: { params, querystring: pageQuery, response: { 200: pageOf(replaySchema) } } },
    async ({ tenantId, params: { id }, query }) => {
      if ((await findEndpoint(database.forTenant(tenantId), id)) === null) throw notFound(endpoint.resource);
      const { rows, total } = await listReplays(database, tenantId, { ...query, endpoint_id: id });
      return page(rows.map(replayRecord), { ...query, total });
    },
  );

  app.get(SINGLE, { config, schema: single }, async ({ tenantId, params: { id } }) => {
    const replay = await findReplay(database.forTenant(tenantId), id);
    if (replay === null) throw notFound(config.resource);
    return ok(replayRecord(replay));
  });

  app.post(`${SINGLE}/cancel`, { config, schema: single }, async (request, reply) => {
    const scope = database.forTenant(request.tenantId);
    return idempotent({ request, reply, scope }, (transaction) =>
      transaction(async (tx) => {
        await cancelReplay(tx, request.params.id);
        const replay = await findReplay(tx, request.params.id);
        if (replay === null) throw notFound(config.resource);
        return { status: 200, body: ok(replayRecord(replay)) };
      }),
    );
  });
}
