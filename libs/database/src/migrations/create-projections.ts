import type { Migration, QueryRunner } from './migration.ts';

export class CreateProjections1790000000005 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table projections (name text primary key, filled_at timestamptz not null)');
  }
}
