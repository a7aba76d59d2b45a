import type { Migration, QueryRunner } from './migration.ts';

/** The one key that a service's cursors are sealed by: all its processes share it, and a backup has it. */
export class CreateCursorKeys1790000000013 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cursor_keys (
        is_only boolean primary key default true check (is_only),
        key bytea not null check (octet_length(key) = 32),
        created_at timestamptz not null default now()
      )`);
  }
}
