import { type SystemScope, systemSql, type TenantTransaction, tenantSql } from '@frontdesk/database';

const BATCH = 200;

const purgeSettled = systemSql<never, [days: number]>(
  'messages_purge',
  `delete from call_messages where (tenant_id, id) in (
     select tenant_id, id from call_messages
     where status in ('applied', 'ignored') and received_at < now() - $1 * interval '1 day'
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

/**
 * Removes some of what is past its time: messages that were applied or ignored, and unreadable ones whose source has been
 * deleted for as long. The other unreadable ones stay until somebody has looked at them. @returns whether there may be more
 */
export async function purgeMessages(system: SystemScope, days: number): Promise<boolean> {
  const removed = [await system.run(purgeSettled, days), await system.run(purgeOrphaned, days)];
  return removed.includes(BATCH);
}

const remove = tenantSql<{ id: number }, [id: number]>(
  'messages_delete',
  'delete from call_messages where tenant_id = $1 and id = $2 returning id',
);

/** Whatever came of it; what it told of a call stays. False where there is no such message. */
export const deleteMessage = async (tx: TenantTransaction, id: number) =>
  (await tx.maybeOne(remove, id)) !== null;
