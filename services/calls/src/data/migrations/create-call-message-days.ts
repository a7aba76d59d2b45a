import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateCallMessageDays1790000000205 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // Changed with every message, but never what is in its index: room on the page keeps those updates within it (HOT).
    await runner.query(`
      create table call_message_days (
        tenant_id bigint not null,
        day date not null,
        messages bigint not null,
        bytes bigint not null,
        primary key (tenant_id, day)
      ) with (fillfactor = 50)`);
    await runner.query('create index call_message_days_day on call_message_days (day)');
    await runner.query(
      `create index call_messages_unreadable on call_messages (received_at) where status = 'unreadable'`,
    );
  }
}
