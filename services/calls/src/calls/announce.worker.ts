import type { Database, TenantTransaction } from '@frontdesk/database';
import type { Logger, Loop } from '@frontdesk/service';
import { workDueRows } from '../due-rows/work-due-rows.ts';
import { lockCall } from './call.repository.ts';
import { deferAnnouncing, findCallsToAnnounce } from './due-call.repository.ts';
import { writeCall } from './write-call.ts';

/** Calls announced at the same time: each takes a connection, and may have 2 MiB of transcript. */
const CONCURRENCY = 2;

/** Announces calls whose analysis doesn't come, and later changes. The row says when: a restart loses none. */
export function createAnnouncer({ database, logger }: { database: Database; logger: Logger }): Loop {
  return workDueRows({
    name: 'announcer',
    concurrency: CONCURRENCY,
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

/** Announces a call that has waited long enough: its end, or its changes since. Not one that was announced meanwhile. */
async function announceCall(tx: TenantTransaction, id: number): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call?.is_announcement_due) return;
  await writeCall(tx, call, call, { isLinkDue: call.is_link_due, isTimeUp: true });
}
