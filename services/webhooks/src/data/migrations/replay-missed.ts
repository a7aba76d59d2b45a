import type { Migration, QueryRunner } from '@frontdesk/database';

/** A replay may be of what came in during a pause. */
export class ReplayMissed1790000000116 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table replays drop constraint replays_kind_check,
        add constraint replays_kind_check check (kind in ('failed', 'window', 'missed'))`);
  }
}
