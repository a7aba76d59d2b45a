import type { Migration, QueryRunner } from '@frontdesk/database';
import { attachPartitions } from './attach-partitions.ts';

/**
 * A delivery is written twice, as it begins and with its result, which is many times as long. The second writing stays in
 * its page and touches no index: pages begin nearly empty, and no index depends on what a success changes.
 *
 * A partition is made beside its table and attached: that waits for nobody who reads the log, however long, and so nobody
 * waits behind it.
 */
export class LightenDeliveries1790000000104 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deliveries_failed');
    // In one go, which writes the table once. Attempts are texts of JSON: they are only ever read as a whole.
    await runner.query(`
      alter table deliveries
        alter column attempts drop default,
        alter column attempts type text[] using attempts::text[],
        alter column attempts set default '{}',
        alter column attempt_count type integer,
        add column is_failed boolean generated always as (status = 'failed') stored`);
    await runner.query('alter table delivery_queue alter column attempt_count type integer');
    await runner.query(
      'create index deliveries_failed on deliveries (tenant_id, endpoint_id, id) where is_failed',
    );
    // However many a tenant has had, each event looks for those that it has.
    await runner.query('create index endpoints_kept on endpoints (tenant_id, id) where deleted_at is null');
    await runner.query(`
      create index endpoints_rotated on endpoints (previous_secret_until) where previous_secret is not null`);
    await attachPartitions(runner, { events: 'fillfactor = 100', deliveries: 'fillfactor = 10' });
    await runner.query(`
      do $$ declare part record; begin
        for part in select inhparent::regclass::text as parent, inhrelid::regclass as partition from pg_inherits
          where inhparent in ('events'::regclass, 'deliveries'::regclass)
        loop
          execute format('alter table %s set (fillfactor = %s)', part.partition,
            case part.parent when 'deliveries' then 10 else 100 end);
        end loop;
      end $$`);
  }
}
