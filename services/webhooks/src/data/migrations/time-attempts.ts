import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log shows how long the latest attempt took.
 */
export class TimeAttempts1790000000113 implements MigrationInterface {
  name = 'TimeAttempts1790000000113';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries add column duration_ms integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deliveries drop column duration_ms');
  }
}
