import { operatedRoutes, type StuckEvent } from '@frontdesk/contracts';
import {
  concludeOperatorChange,
  createStuckEvents,
  type Database,
  type DeadLetterReader,
  insertOperatorChange,
  retryStuckEvent,
  retryStuckEvents,
} from '@frontdesk/database';
import { type App, AppError, notFound, ok, page, route } from '@frontdesk/service';
import type { FastifyRequest } from 'fastify';

/**
 * What a service could not publish, and what its consumers could not take in: for operators alone, whom these routes have to be
 * kept for.
 */
export function stuckEventRoutes(
  app: App,
  deps: { database: Database; consumers?: readonly DeadLetterReader[] },
): void {
  const stuck = createStuckEvents(deps.database.system);
  const readers = deps.consumers ?? [];

  route(app, operatedRoutes.listStuckEvents, async ({ query }) => {
    const { rows, total } = await stuck.page(query);
    return page(rows, { ...query, total });
  });

  route(app, operatedRoutes.getStuckEvent, async ({ params }) => {
    const found = await stuck.findWithBody(params.id);
    if (found === null) throw notFound('Stuck event');
    return ok(found);
  });

  route(app, operatedRoutes.retryStuckEvents, async ({ query, log, identity }) => {
    const actor = identity.actor ?? null;
    const { system } = deps.database;
    return ok(await retryStuckEvents({ stuck, readers, system, logger: log, actor }, query.after));
  });

  route(app, operatedRoutes.retryStuckEvent, async (request) => {
    const { id } = request.params;
    const found = await stuck.find(id);
    if (found === null) throw notFound('Stuck event');
    await recorded({ request, found, action: 'stuck_event_retried' }, () =>
      retryStuckEvent({ stuck, readers }, id),
    );
    return ok({ id: found.id, retried: true as const });
  });

  route(app, operatedRoutes.discardStuckEvent, async (request) => {
    const { id } = request.params;
    const found = await stuck.find(id);
    if (found === null) throw notFound('Stuck event');
    await recorded({ request, found, action: 'stuck_event_discarded' }, async () => {
      if (!(await stuck.remove(id))) throw notFound('Stuck event');
    });
    request.log.warn({ stuck_event: found }, 'stuck event discarded by an operator');
    return ok({ id: found.id, deleted: true as const });
  });

  /** Does something about an event, written down for its tenant before, and once more what came of it. */
  async function recorded(
    { request, found, action }: { request: FastifyRequest; found: StuckEvent; action: string },
    work: () => Promise<void>,
  ): Promise<void> {
    const { tenant_id: tenantId, type, topic } = found;
    // A message that can't be read may name a tenant that can't be.
    if (tenantId === null || tenantId <= 0) return await work();
    const scope = deps.database.forTenantInBackground(tenantId);
    const actor = request.identity.actor ?? null;
    const subject = `${type ?? topic}, ${found.id}`;
    const id = await insertOperatorChange(scope, { actor, action, subject, outcome: 'started' });
    const conclude = (outcome: 'done' | 'refused') =>
      concludeOperatorChange(scope, { id, outcome, subject }).catch((error: unknown) =>
        request.log.error({ err: error }, 'what came of an operator’s change is not recorded'),
      );
    try {
      await work();
    } catch (error) {
      if (error instanceof AppError && error.status < 500) await conclude('refused');
      throw error;
    }
    await conclude('done');
  }
}
