import type { Migration, QueryRunner } from '@frontdesk/database';

/** `events_by_id` has its entries too. */
export class DropEventsByEvent1790000000119 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index events_by_event');
  }
}
