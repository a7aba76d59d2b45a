import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Deliveries that came to an end, counted by hour, outcome and how long they took: the log of a busy day is too long to be
 * counted whenever somebody looks. What came to an end before is not counted; a day later nobody asks for it.
 */
export class CreateDeliveryCounts1790000000106 implements Migration {
  /** `latency_bucket` is -1 where there is no latency: of what failed, and what was sent again on demand. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table delivery_counts (
        tenant_id bigint not null,
        hour timestamptz not null,
        outcome text not null check (outcome in ('delivered', 'failed')),
        latency_bucket smallint not null,
        deliveries bigint not null,
        primary key (tenant_id, hour, outcome, latency_bucket)
      ) with (fillfactor = 70)`);
    await runner.query('create index delivery_counts_by_hour on delivery_counts (hour)');
  }
}
