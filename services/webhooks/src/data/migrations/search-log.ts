import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log is listed by when events came in, which is no order of ids once a replay has made deliveries of earlier events. It is
 * searched by the id of an event, under whichever names that has a body; and it tells how long the latest attempt took.
 */
export class SearchLog1790000000112 implements MigrationInterface {
  name = 'SearchLog1790000000112';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index deliveries_by_time on deliveries (tenant_id, created_at, id)');
    await runner.query('create index events_by_event on events (tenant_id, event_id)');
    await runner.query('drop index events_alias');
    await runner.query('alter table deliveries add column duration_ms integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries drop column duration_ms');
    await runner.query(`
      create index events_alias on events (tenant_id, event_id)
      where name in ('appointment.booked', 'call.completed', 'missed_call')`);
    await runner.query('drop index events_by_event');
    await runner.query('drop index deliveries_by_time');
  }
}
