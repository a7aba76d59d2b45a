import type { Migration, QueryRunner } from '@frontdesk/database';

/** How many messages of a source were refused, by the reason: a flood of forged ones changes a row a second. */
export class CreateCallRefusals1790000000226 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // No reference to the source: it would lock the table of sources while this one is made, and each source whenever a row is added.
    await runner.query(`
      create table call_refusals (
        tenant_id bigint not null,
        source_id bigint not null,
        reason text not null,
        messages bigint not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        primary key (tenant_id, source_id, reason)
      ) with (fillfactor = 50)`);
  }
}
