import { TOPICS } from '@frontdesk/contracts';
import { type SystemScope, systemSql } from '@frontdesk/database';

const DAY_MS = 86_400_000;
/** Kafka forgets by whole segments, and writes to one for a week by default (`log.roll.hours`). */
const SEGMENT_DAYS = 7;
/** For so long an event may be read again. */
const TOPIC_DAYS =
  Math.max(...Object.values(TOPICS).map(({ retentionMs }) => retentionMs ?? 0)) / DAY_MS + SEGMENT_DAYS;
const DAYS_AHEAD = 7;
const BATCH = 5_000;

const today = 'floor(extract(epoch from now()) / 86400)::bigint';

const ensure = systemSql<never>(
  'partitions_ensure',
  `select ensure_partitions(${today}, ${today} + ${DAYS_AHEAD})`,
);

const dropDays = systemSql<DroppedDeliveries, { keptDays: number }>(
  'days_drop',
  `select tenant_id, deliveries from drop_days(${today} - $keptDays::integer)`,
);

const forgetReceived = systemSql<never, { keptDays: number }>(
  'received_events_forget',
  `delete from received_events where ctid = any(array(
     select ctid from received_events
     where received_at < now() - (greatest($keptDays::integer, ${TOPIC_DAYS}) + 1) * interval '1 day'
     limit ${BATCH} for update skip locked))`,
);

/** Deliveries of one tenant that were dropped unsent. */
interface DroppedDeliveries {
  tenant_id: number;
  deliveries: number;
}

/** Sees to it that there is somewhere to write to, for days ahead. */
export const ensurePartitions = (system: SystemScope) => system.run(ensure);

/** Drops partitions older than so many days. @returns the waiting deliveries in them, by tenant, and whether there is more to drop */
export async function purgeDays(
  system: SystemScope,
  keptDays: number,
): Promise<{ dropped: DroppedDeliveries[]; hasMore: boolean }> {
  const dropped = await system.many(dropDays, { keptDays });
  return { dropped, hasMore: (await system.run(forgetReceived, { keptDays })) === BATCH };
}
