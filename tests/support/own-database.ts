import { type SystemScope, systemSql } from '@frontdesk/database';

/** For statements over `pg_locks`: it shows the locks of all databases, and other test files have theirs on the same engine. */
export const IN_OWN_DATABASE = 'database = (select oid from pg_database where datname = current_database())';

const count = systemSql<{ all: number; tables: number; rows: number; advisory: number }>(
  'test_lock_waits',
  `select count(*) as all,
     count(*) filter (where wait_event = 'relation') as tables,
     count(*) filter (where wait_event in ('transactionid', 'tuple')) as rows,
     count(*) filter (where wait_event = 'advisory') as advisory
   from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/** How many sessions of a service's own database wait for locks, and of these how many for what. */
export const lockWaits = ({ system }: { system: SystemScope }) => system.one(count);
