import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * `events_by_event` has its entries too.
 */
export class DropEventsAlias1790000000115 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index events_alias');
  }
}
