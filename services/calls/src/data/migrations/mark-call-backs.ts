import type { Migration, QueryRunner } from '@frontdesk/database';

/** Who called a missed caller back, and when. */
export class MarkCallBacks1790000000212 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table calls add column called_back_at timestamptz, add column called_back_by text',
    );
  }
}
