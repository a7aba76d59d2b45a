import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateProjections1790000000005 implements MigrationInterface {
  name = 'CreateProjections1790000000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create table projections (name text primary key, filled_at timestamptz not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table projections');
  }
}
