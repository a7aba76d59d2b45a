import { eventRoutes } from '@frontdesk/contracts';
import { type Database, listEventGaps } from '@frontdesk/database';
import { type App, page, route } from '@frontdesk/service';

/** Which events a service's consumers have missed: for operators alone, whom this route has to be kept for. */
export function eventGapRoutes(app: App, { database }: { database: Database }): void {
  route(app, eventRoutes.listEventGaps, async ({ query }) => {
    const { gaps, total } = await listEventGaps(database.system, query);
    return page(gaps, { ...query, total });
  });
}
