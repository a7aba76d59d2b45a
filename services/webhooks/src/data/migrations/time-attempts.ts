import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * The log shows how long the latest attempt took.
 */
export class TimeAttempts1790000000113 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries add column duration_ms integer');
  }
}
