import { MAX_OPEN_HOLDS, schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { countOpenHolds, readHoldsState, releaseOpenHolds, turnHolds } from './hold.repository.ts';

interface Deps {
  database: Database;
}

/** Whether holds are made in this system at all. */
export function holdsSwitchRoutes(app: App, { database: { system } }: Deps): void {
  route(app, schedulingRoutes.getHoldsState, async () => ok(await readHoldsState(system)));

  route(app, schedulingRoutes.switchHolds, async ({ body }) => {
    await turnHolds(system, body.is_on);
    return ok(await readHoldsState(system));
  });
}

/** Releases all open holds of a business. */
export function holdsReleaseRoute(app: App, { database }: Deps): void {
  route(app, schedulingRoutes.releaseHolds, async ({ tenantId }) =>
    ok({ released: await database.forTenant(tenantId).transaction(releaseOpenHolds) }),
  );
}

/** How many holds of a business are open, and how many may be. */
export function openHoldsRoute(app: App, { database }: Deps): void {
  route(app, schedulingRoutes.getOpenHolds, async ({ tenantId }) =>
    ok({ open: await countOpenHolds(database.forTenant(tenantId)), allowed: MAX_OPEN_HOLDS.business }),
  );
}
