import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * The log is listed by when events came in, which is no order of ids once a replay has made deliveries of earlier events.
 * Alone in its transaction, as are those that follow: intake holds `events` while it waits for `deliveries`, so a process that held one
 * and then wanted the other, or more of the same, would wait for it in a circle.
 */
export class SearchLog1790000000112 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index deliveries_by_time on deliveries (tenant_id, created_at, id)');
  }
}
