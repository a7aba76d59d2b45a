import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `events_by_event` has its entries too.
 */
export class DropEventsAlias1790000000115 implements MigrationInterface {
  name = 'DropEventsAlias1790000000115';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index events_alias');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index events_alias on events (tenant_id, event_id)
      where name in ('appointment.booked', 'call.completed', 'missed_call')`);
  }
}
