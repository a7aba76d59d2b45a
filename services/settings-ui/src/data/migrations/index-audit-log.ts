import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the retention of the audit log, over all tenants. */
export class IndexAuditLog1790000600014 implements MigrationInterface {
  name = 'IndexAuditLog1790000600014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index audit_log_at on audit_log (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index audit_log_at');
  }
}
