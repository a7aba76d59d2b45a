import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * A row of the queue has all that names its delivery in the log, whichever index of it a plan takes, and its body
 * without a look into the log. That index which keeps an event from being delivered twice to an endpoint begins with the event:
 * new ones are nearly always at its end, and nobody takes it for a way to an endpoint's deliveries.
 *
 * Before the first release, and so not additive: older processes don't fill the new column.
 */
export class QueueEventRows1790000000109 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table delivery_queue add column event_row bigint');
    await runner.query(`
      update delivery_queue q set event_row = d.event_row
      from deliveries d where d.tenant_id = q.tenant_id and d.id = q.delivery_id`);
    // Of what is no longer in the log nothing could be sent.
    await runner.query('delete from delivery_queue where event_row is null');
    await runner.query('alter table delivery_queue alter column event_row set not null');
    await keepUniqueByEvent(runner);
  }
}

/** Changes it for the partitions to come, and builds it anew on those that are there. */
async function keepUniqueByEvent(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create or replace function keep_deliveries_unique(partition regclass) returns void language plpgsql as $$
    begin
      execute format('create unique index %I on %s (event_row, endpoint_id)', partition::text || '_once', partition);
    end $$`);
  await runner.query(`
    do $$ declare partition regclass; begin
      for partition in select inhrelid::regclass from pg_inherits where inhparent = 'deliveries'::regclass loop
        execute format('drop index %I', partition::text || '_once');
        perform keep_deliveries_unique(partition);
      end loop;
    end $$`);
}
