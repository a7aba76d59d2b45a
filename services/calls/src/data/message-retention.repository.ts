import { type SystemScope, systemSql } from '@frontdesk/database';

const BATCH = 200;

/** Days for which each is kept. */
export interface MessageRetention {
  /** Messages that were applied or ignored, and unreadable ones of a source that is deleted. */
  settled: number;
  unreadable: number;
  dayCounts: number;
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

const purgeDays = systemSql<never, [days: number]>(
  'message_days_purge',
  `delete from call_message_days where (tenant_id, day) in (
     select tenant_id, day from call_message_days where day < current_date - $1::int
     limit ${BATCH} for update skip locked)`,
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
    await system.run(purgeDays, days.dayCounts),
  ];
  return removed.includes(BATCH);
}
