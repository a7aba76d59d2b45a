import type { Migration, QueryRunner } from '@frontdesk/database';

/** A search that walks the newest customers reads the key alone. */
export class WalkSearchText1790000200008 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table customers drop constraint customers_pkey,
        add constraint customers_pkey primary key (tenant_id, id) include (search_text)`);
  }
}
