import type { Migration, QueryRunner } from '@frontdesk/database';

export class CreateCallMessages1790000000203 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table call_messages (
        tenant_id bigint not null,
        id bigint generated always as identity,
        source_id bigint not null,
        digest bytea not null,
        content_type text not null,
        url text not null,
        body bytea not null,
        status text not null default 'received' check (status in ('received', 'applied', 'ignored', 'unreadable')),
        reason text,
        call_id bigint,
        attempts integer not null default 0,
        due_at timestamptz not null default now(),
        received_at timestamptz not null default now(),
        primary key (tenant_id, id),
        foreign key (tenant_id, source_id) references call_sources (tenant_id, id),
        constraint call_messages_digest_unique unique (source_id, digest)
      )`);
    await runner.query(
      `create index call_messages_due on call_messages (due_at, id) where status = 'received'`,
    );
    await runner.query(
      `create index call_messages_due_of_tenant on call_messages (tenant_id, due_at, id) where status = 'received'`,
    );
    await runner.query(
      `create index call_messages_settled on call_messages (received_at) where status in ('applied', 'ignored')`,
    );
    await runner.query('create index call_messages_by_source on call_messages (tenant_id, source_id, id)');
    await runner.query('create index call_messages_by_status on call_messages (tenant_id, status, id)');
    // Outlives its message: what comes later is folded together with it.
    await runner.query(`
      create table call_patches (
        tenant_id bigint not null,
        call_id bigint not null,
        message_id bigint not null,
        stage text not null,
        patch json not null,
        bytes integer not null,
        primary key (tenant_id, call_id, message_id),
        foreign key (tenant_id, call_id) references calls (tenant_id, id) on delete cascade
      )`);
  }
}
