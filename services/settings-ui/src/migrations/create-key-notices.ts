import type { Migration, QueryRunner } from '@frontdesk/database';

/** Which reminders were sent, so that none is sent twice. The keys are the gateway's. */
export class CreateKeyNotices1790000600061 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table key_notices (
        tenant_id bigint not null,
        key_id bigint not null,
        expires_at timestamptz not null,
        -- How long before: a week or a day.
        notice text not null,
        primary key (tenant_id, key_id, expires_at, notice)
      )`);
  }
}
