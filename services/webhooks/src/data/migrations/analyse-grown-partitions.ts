import type { Migration, QueryRunner } from '@frontdesk/database';
import { attachPartitions } from './attach-partitions.ts';

const FIRST_LOOK = 'autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000';

/** Autovacuum first looks at a day once it has grown: see docs/decisions/fresh-tables.md. */
export class AnalyseGrownPartitions1790000000121 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // No partition comes or goes meanwhile.
    await runner.query(`select pg_advisory_xact_lock(hashtext('webhooks.partitions'))`);
    await attachPartitions(runner, {
      events: `fillfactor = 100, ${FIRST_LOOK}`,
      deliveries: `fillfactor = 10, ${FIRST_LOOK}`,
    });
    // Those of the days to come are empty, and were made under the settings of before.
    await runner.query(`
      do $$ declare partition regclass; begin
        for partition in select inhrelid::regclass from pg_inherits
          where inhparent in ('events'::regclass, 'deliveries'::regclass)
        loop
          execute format('alter table %s set (${FIRST_LOOK})', partition);
        end loop;
      end $$`);
  }
}
