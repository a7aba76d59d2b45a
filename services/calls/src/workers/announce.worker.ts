import type { Database } from '@frontdesk/database';
import type { Logger, Loop } from '@frontdesk/service';
import { deferAnnouncing, findCallsToAnnounce } from '../data/due-call.repository.ts';
import { announceCall } from '../use-cases/announce-call.ts';
import { createTenantLanes } from './tenant-lanes.ts';

/** Calls announced at the same time: each takes a connection, and may have 2 MiB of transcript. */
const LANES = 2;

/** Announces calls whose analysis doesn't come, and later changes. The row says when: a restart loses none. */
export function createAnnouncer({ database, logger }: { database: Database; logger: Logger }): Loop {
  return createTenantLanes({
    name: 'announcer',
    lanes: LANES,
    findDue: (without, limit) => findCallsToAnnounce(database.system, without, limit),
    work: ({ tenant_id, id }) =>
      database.forTenantInBackground(tenant_id).transaction((tx) => announceCall(tx, id)),
    async defer({ tenant_id, id }, error) {
      logger.error({ err: error, tenant_id, call_id: id }, 'call not announced');
      await deferAnnouncing(database.forTenantInBackground(tenant_id), id);
    },
    logger,
  });
}
