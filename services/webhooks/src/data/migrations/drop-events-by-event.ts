import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `events_by_id` has its entries too. */
export class DropEventsByEvent1790000000119 implements MigrationInterface {
  name = 'DropEventsByEvent1790000000119';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index events_by_event');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('create index events_by_event on events (tenant_id, event_id)');
  }
}
