import type { Migration, QueryRunner } from './migration.ts';

export class CreateCounts1790000000003 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create table counts (tenant_id bigint not null, counter text not null, delta bigint not null)',
    );
    await runner.query('create index counts_counter on counts (tenant_id, counter) include (delta)');
  }
}
