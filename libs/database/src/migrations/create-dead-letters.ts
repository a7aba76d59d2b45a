import type { Migration, QueryRunner } from './migration.ts';

/** Messages that a consumer could not take in, until an operator has looked at them. */
export class CreateDeadLetters1790000000006 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table dead_letters (
        tenant_id bigint,
        id bigint generated always as identity primary key,
        consumer text not null,
        topic text not null,
        "partition" integer not null,
        "offset" bigint not null,
        sent_at timestamptz not null,
        key bytea,
        value bytea,
        type text,
        reason text not null,
        created_at timestamptz not null default now(),
        constraint dead_letters_once unique (consumer, topic, "partition", "offset", sent_at)
      )`);
    await runner.query('create index outbox_parked on outbox (id) where parked_at is not null');
  }
}
