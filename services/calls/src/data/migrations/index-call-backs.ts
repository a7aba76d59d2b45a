import type { Migration, QueryRunner } from '@frontdesk/database';

/** Missed calls that nobody has called back: few, however many calls there are. */
export class IndexCallBacks1790000000213 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index calls_to_call_back on calls (tenant_id, started_at, id)
        where is_complete and is_missed and direction = 'inbound' and not is_test and called_back_at is null`);
  }
}
