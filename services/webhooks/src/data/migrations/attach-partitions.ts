import type { QueryRunner } from '@frontdesk/database';

/** Has `ensure_partitions` make each day's partition beside its table and attach it, with these storage parameters. */
export async function attachPartitions(
  runner: QueryRunner,
  storage: { events: string; deliveries: string },
): Promise<void> {
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
            execute format('create table %I (like %I including all) with (%s)',
              partition, parent, case parent when 'deliveries' then '${storage.deliveries}' else '${storage.events}' end);
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
