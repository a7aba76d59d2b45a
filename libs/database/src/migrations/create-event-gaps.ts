import type { Migration, QueryRunner } from './migration.ts';

/** How far each consumer is, which Kafka forgets of a group that is away for long, and the gaps found by it. */
export class CreateEventGaps1790000000009 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table consumer_positions (
        consumer text not null,
        topic text not null,
        "partition" integer not null,
        "offset" bigint not null,
        occurred_at timestamptz,
        primary key (consumer, topic, "partition")
      )`);
    await runner.query(`
      create table event_gaps (
        id bigint generated always as identity primary key,
        consumer text not null,
        topic text not null,
        "partition" integer not null,
        from_offset bigint,
        to_offset bigint not null,
        since timestamptz,
        until timestamptz not null,
        is_refilled boolean not null,
        found_at timestamptz not null default now(),
        constraint event_gaps_once unique nulls not distinct (consumer, topic, "partition", from_offset, to_offset, since)
      )`);
  }
}
