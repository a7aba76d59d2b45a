import type { Migration, QueryRunner } from '@frontdesk/database';

/** What has to go into the audit logs yet. Of no tenant: an account may be of several, and an unknown address is of none. */
export class CreateWrongPasswords1790000600042 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table wrong_passwords (
        id bigint generated always as identity primary key,
        at timestamptz not null default clock_timestamp(),
        -- Null where nobody has the email.
        account_id bigint,
        address text not null,
        action text not null
      )`);
  }
}
