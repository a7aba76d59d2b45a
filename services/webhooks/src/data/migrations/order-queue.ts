import type { Migration, QueryRunner } from '@frontdesk/database';

/** Deliveries of events that came in together are due at the same moment: they are claimed in the order they were made in. */
export class OrderQueue1790000000108 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index delivery_queue_waiting on delivery_queue (endpoint_id, due_at, delivery_id) where lease_token is null`);
    await runner.query('drop index delivery_queue_due');
  }
}
