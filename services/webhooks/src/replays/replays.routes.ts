import { type MissedEvents, pathTo, webhooksRoutes } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { type App, notFound, ok, page, requireScopes, route } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { findEndpoint } from '../endpoints/endpoint.repository.ts';
import { lastMissed } from '../endpoints/missed-events.rules.ts';
import { allowedEvents } from '../endpoints/subscription.rules.ts';
import { countMissedEvents } from './missed-events.repository.ts';
import { cancelReplay, findReplay, listReplays } from './replay.repository.ts';
import { replayRecord } from './replay.rules.ts';
import { subscribedEvents } from './replay-plan.rules.ts';
import { startReplay } from './start-replay.ts';

export interface ReplayRoutesDeps {
  database: Database;
  retentionDays: number;
  /** A replay has begun. */
  onBegun: () => void;
}

export function replayRoutes(app: App, { database, retentionDays, onBegun }: ReplayRoutesDeps): void {
  route(app, webhooksRoutes.createReplay, async (request, reply) => {
    const { tenantId, params, body, identity: by } = request;
    const at = { endpointId: params.id, by, retentionDays };
    const scope = database.forTenant(tenantId);
    return idempotent({ request, reply, scope }, async (transaction) => {
      const answer = await transaction(async (tx) => {
        const replay = await startReplay(tx, at, body);
        const headers = {
          location: pathTo(webhooksRoutes.getReplay, { tenant_id: tenantId, id: replay.id }),
        };
        return { status: 202, body: ok(replayRecord(replay)), headers };
      });
      onBegun();
      return answer;
    });
  });

  route(app, webhooksRoutes.countMissedEvents, async ({ tenantId, params: { id } }) =>
    ok(await missedEventsOf(database.forTenant(tenantId), id)),
  );

  route(app, webhooksRoutes.listReplays, async ({ tenantId, params: { id }, query }) => {
    if ((await findEndpoint(database.forTenant(tenantId), id)) === null) throw notFound('Webhook endpoint');
    const { rows, total } = await listReplays(database, tenantId, { ...query, endpoint_id: id });
    return page(rows.map(replayRecord), { ...query, total });
  });

  route(app, webhooksRoutes.getReplay, async ({ tenantId, params: { id } }) => {
    const replay = await findReplay(database.forTenant(tenantId), id);
    if (replay === null) throw notFound('Replay');
    return ok(replayRecord(replay));
  });

  route(app, webhooksRoutes.cancelReplay, async (request, reply) => {
    const scope = database.forTenant(request.tenantId);
    return idempotent({ request, reply, scope }, (transaction) =>
      transaction(async (tx) => {
        const { id } = request.params;
        const replay = await findReplay(tx, id);
        if (replay === null) throw notFound('Replay');
        const endpoint = await findEndpoint(tx, replay.endpoint_id);
        if (endpoint !== null) requireScopes(request.identity, endpoint.scopes);
        await cancelReplay(tx, id);
        const cancelled = (await findReplay(tx, id)) ?? replay;
        return { status: 200, body: ok(replayRecord(cancelled)) };
      }),
    );
  });
}

/** What came in for an endpoint while it was last paused or disabled, and has not gone to it. @throws AppError `not_found` */
async function missedEventsOf(db: TenantReads, endpointId: number): Promise<MissedEvents> {
  const endpoint = await findEndpoint(db, endpointId);
  if (endpoint === null) throw notFound('Webhook endpoint');
  const { missed_from: from, missed_to: resumedAt } = endpoint;
  if (from === null) return { to: null, count: 0, is_partial: false };
  const to = lastMissed(resumedAt ?? new Date());
  const query = { endpointId, from, to, names: subscribedEvents(allowedEvents(endpoint)) };
  const { count, isPartial } = await countMissedEvents(db, query, { isWhole: false });
  return { to: resumedAt?.toISOString() ?? null, count, is_partial: isPartial };
}
