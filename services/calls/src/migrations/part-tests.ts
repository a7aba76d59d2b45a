import type { Migration, QueryRunner } from '@frontdesk/database';

/** Ids of tests have a space of their own, so that a test and a call with the same id are two. */
export class PartTests1790000000225 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('update calls set id_space = -source_id where is_test');
  }
}
