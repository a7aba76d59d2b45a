import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who called a missed caller back, and when. */
export class MarkCallBacks1790000000212 implements MigrationInterface {
  name = 'MarkCallBacks1790000000212';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table calls add column called_back_at timestamptz, add column called_back_by text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table calls drop column called_back_at, drop column called_back_by');
  }
}
