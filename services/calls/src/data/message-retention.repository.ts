import { type SystemScope, systemSql } from '@frontdesk/database';

const BATCH = 200;

/** Days for which each is kept. */
export interface MessageRetention {
  /** Messages that were applied or ignored, and unreadable ones of a source that is deleted. */
  settled: number;
  unreadable: number;
}

const purgeSettled = systemSql<never, [days: number]>(
  'messages_purge',
  `delete from call_messages where (tenant_id, id) in (
     select tenant_id, id from call_messages
     where status in ('applied', 'ignored') and received_at < now() - $1 * interval '1 day'
     order by received_at limit ${BATCH} for update skip locked)`,
);

const purgeUnreadable = systemSql<never, [days: number]>(
  'messages_purge_unreadable',
  `delete from call_messages where (tenant_id, id) in (
     select tenant_id, id from call_messages
     where status = 'unreadable' and received_at < now() - $1 * interval '1 day'
     order by received_at limit ${BATCH} for update skip locked)`,
);

// By source, and of a source by its messages' ids: few sources are ever deleted.
const purgeOrphaned = systemSql<never, [days: number]>(
  'messages_purge_orphaned',
  `delete from call_messages where (tenant_id, id) in (
     select m.tenant_id, m.id from call_sources s join call_messages m on m.tenant_id = s.tenant_id and m.source_id = s.id
     where s.deleted_at < now() - $1 * interval '1 day' and m.status = 'unreadable'
     limit ${BATCH} for update of m skip locked)`,
);

/** Removes some of what is past its time. @returns whether there may be more */
export async function purgeMessages(system: SystemScope, days: MessageRetention): Promise<boolean> {
  const removed = [
    await system.run(purgeSettled, days.settled),
    await system.run(purgeOrphaned, days.settled),
    await system.run(purgeUnreadable, days.unreadable),
  ];
  return removed.includes(BATCH);
}
