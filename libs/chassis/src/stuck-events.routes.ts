import {
  dataOf,
  discardedStuckEvent,
  pageOf,
  pageQuery,
  retriedStuckEvent,
  retriedStuckEvents,
  retryStuckEventsQuery,
  stuckEvent,
  stuckEventId,
  stuckEventWithBody,
} from '@frontdesk/contracts';
import {
  createStuckEvents,
  type Database,
  type LetterReader,
  retryStuckEvent,
  retryStuckEvents,
} from '@frontdesk/database';
import { type App, notFound, ok, page } from '@frontdesk/service';

const LIST = '/internal/stuck-events';
const SINGLE = `${LIST}/:id` as const;
const config = { resource: 'Stuck event' };

/**
 * What a service could not publish, and what its consumers could not take in: for operators alone, whom these routes have to be
 * kept for.
 */
export function stuckEventRoutes(
  app: App,
  deps: { database: Database; consumers?: readonly LetterReader[] },
): void {
  const stuck = createStuckEvents(deps.database.system);
  const retrying = { stuck, readers: deps.consumers ?? [] };

  app.get(
    LIST,
    { schema: { querystring: pageQuery, response: { 200: pageOf(stuckEvent) } } },
    async ({ query }) => {
      const { rows, total } = await stuck.page(query);
      return page(rows, { ...query, total });
    },
  );

  app.get(
    SINGLE,
    { config, schema: { params: stuckEventId, response: { 200: dataOf(stuckEventWithBody) } } },
    async ({ params }) => {
      const found = await stuck.findWithBody(params.id);
      if (found === null) throw notFound(config.resource);
      return ok(found);
    },
  );

  app.post(
    `${LIST}/retry`,
    { schema: { querystring: retryStuckEventsQuery, response: { 200: dataOf(retriedStuckEvents) } } },
    async ({ query, log }) => ok(await retryStuckEvents({ ...retrying, logger: log }, query.after)),
  );

  app.post(
    `${SINGLE}/retry`,
    { config, schema: { params: stuckEventId, response: { 200: dataOf(retriedStuckEvent) } } },
    async ({ params: { id } }) => {
      await retryStuckEvent(retrying, id);
      return ok({ id: `${id.kind}-${id.id}`, retried: true as const });
    },
  );

  app.delete(
    SINGLE,
    { config, schema: { params: stuckEventId, response: { 200: dataOf(discardedStuckEvent) } } },
    async (request) => {
      const { id } = request.params;
      const found = await stuck.find(id);
      if (found === null || !(await stuck.remove(id))) throw notFound(config.resource);
      request.log.warn({ stuck_event: found }, 'stuck event discarded by an operator');
      return ok({ id: found.id, deleted: true as const });
    },
  );
}
