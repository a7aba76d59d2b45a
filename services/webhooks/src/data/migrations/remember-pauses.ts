import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Events that come in while an endpoint is paused or disabled can be sent to it afterwards: what is missing lies between
 * `missed_from` and `missed_to`, the end of the pause. `paused_at` is known of disabled endpoints too.
 */
export class RememberPauses1790000000111 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table endpoints add column missed_from timestamptz, add column missed_to timestamptz',
    );
    await runner.query(`
      update endpoints set paused_at = coalesce(paused_at, updated_at), missed_from = coalesce(paused_at, updated_at)
      where not is_active and deleted_at is null`);
  }
}
