import { MAX_OPEN_HOLDS, schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { countOpenHolds, endOpenHolds, readHoldsState, turnHolds } from './hold.repository.ts';

interface Deps {
  database: Database;
}

/** Whether this system holds times at all. */
export function holdsSwitchRoutes(app: App, { database: { system } }: Deps): void {
  route(app, schedulingRoutes.getHoldsState, async () => ok(await readHoldsState(system)));

  route(app, schedulingRoutes.switchHolds, async ({ body }) => {
    await turnHolds(system, body.is_on);
    return ok(await readHoldsState(system));
  });
}

/** Ends what holds a business’s times, whoever it is. */
export function holdsReleaseRoute(app: App, { database }: Deps): void {
  route(app, schedulingRoutes.releaseHolds, async ({ tenantId }) =>
    ok({ released: await database.forTenant(tenantId).transaction(endOpenHolds) }),
  );
}

/** How much of a business is held. */
export function openHoldsRoute(app: App, { database }: Deps): void {
  route(app, schedulingRoutes.getOpenHolds, async ({ tenantId }) =>
    ok({ open: await countOpenHolds(database.forTenant(tenantId)), allowed: MAX_OPEN_HOLDS.business }),
  );
}
