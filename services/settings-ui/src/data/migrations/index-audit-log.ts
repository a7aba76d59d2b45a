import type { Migration, QueryRunner } from '@frontdesk/database';

/** For the retention of the audit log, over all tenants. */
export class IndexAuditLog1790000600014 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index audit_log_at on audit_log (at)');
  }
}
