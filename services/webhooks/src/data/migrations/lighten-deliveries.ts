import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery is written twice, as it begins and with its result, which is many times as long. The second writing stays in
 * its page and touches no index: pages begin nearly empty, and no index depends on what a success changes.
 *
 * A partition is made beside its table and attached: that waits for nobody who reads the log, however long, and so nobody
 * waits behind it.
 */
export class LightenDeliveries1790000000104 implements MigrationInterface {
  name = 'LightenDeliveries1790000000104';

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
    await attachPartitions(runner);
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

  async down(): Promise<void> {
    throw new Error('What is written in the lighter form is not put back.');
  }
}

async function attachPartitions(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create or replace function ensure_partitions(first_day bigint, last_day bigint) returns void language plpgsql as $$
    declare
      parent text;
      partition text;
      day bigint;
    begin
      perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
      -- Only others of its kind can keep an attachment waiting. There is a week for another try.
      set local lock_timeout = '1s';
      foreach parent in array array['events', 'deliveries'] loop
        for day in select generate_series(first_day, last_day) loop
          partition := format('%s_%s', parent, day);
          if to_regclass(partition) is null then
            execute format('create table %I (like %I including all) with (fillfactor = %s)',
              partition, parent, case parent when 'deliveries' then 10 else 100 end);
            if parent = 'deliveries' then
              perform keep_deliveries_unique(partition::regclass);
            end if;
            execute format('alter table %I attach partition %I for values from (%s) to (%s)',
              parent, partition, day * 10000000000, (day + 1) * 10000000000);
          end if;
        end loop;
      end loop;
    end $$`);
}
