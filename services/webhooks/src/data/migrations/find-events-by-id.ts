import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Led by the event's id, it is taken for nothing else. While a day's partition is small, one that is led by the tenant looks as good
 * for any of its events as the key, and its plan reads all that the tenant has until PostgreSQL looks again.
 */
export class FindEventsById1790000000118 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index events_by_id on events (event_id)');
  }
}
