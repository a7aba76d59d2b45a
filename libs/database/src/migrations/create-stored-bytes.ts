import type { Migration, QueryRunner } from './migration.ts';

export class CreateStoredBytes1790000000008 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table stored_bytes (tenant_id bigint primary key, bytes bigint not null)');
    // One row: the process that updates it measures that day.
    await runner.query(`
      create table stored_bytes_measurement (
        is_last boolean primary key default true check (is_last),
        begun_at timestamptz not null
      )`);
  }
}
