import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * The log is searched by the id of an event, under whichever names that has a body.
 */
export class FindEvents1790000000114 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index events_by_event on events (tenant_id, event_id)');
  }
}
