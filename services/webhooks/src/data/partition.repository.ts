import { type Database, systemSql } from '@frontdesk/database';

const DAYS_AHEAD = 7;
const BATCH = 5_000;

const today = 'floor(extract(epoch from now()) / 86400)::bigint';

const ensurePartitions = systemSql<never>(
  'partitions_ensure',
  `select ensure_partitions(${today}, ${today} + ${DAYS_AHEAD})`,
);

const dropPartitions = systemSql<{ dropped: number }, [keptDays: number]>(
  'partitions_drop',
  `select drop_partitions(${today} - $1::integer) as dropped`,
);

const forgetReceived = systemSql<never, [keptDays: number]>(
  'received_events_forget',
  `delete from received_events where ctid = any(array(
     select ctid from received_events where received_at < now() - ($1::integer + 1) * interval '1 day'
     limit ${BATCH} for update skip locked))`,
);

export interface PartitionRepository {
  /** Sees to it that there is somewhere to write to, for days ahead. */
  ensure(): Promise<void>;
  /** Drops what is older than so many days. @returns whether there is more to forget */
  forget(keptDays: number): Promise<boolean>;
}

export function createPartitionRepository({ system }: Database): PartitionRepository {
  return {
    async ensure() {
      await system.run(ensurePartitions);
    },
    async forget(keptDays) {
      await system.one(dropPartitions, keptDays);
      return (await system.run(forgetReceived, keptDays)) === BATCH;
    },
  };
}
