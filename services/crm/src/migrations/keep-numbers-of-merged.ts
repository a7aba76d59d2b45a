import type { Migration, QueryRunner } from '@frontdesk/database';

/** The number of a merged customer that the remaining one does not show, and the sequence of `customer.merged`. The table is empty yet. */
export class KeepNumbersOfMerged1790000200012 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table merged_customers
        add column phone text not null,
        add column phone_e164 text not null,
        add column phone_digits text not null,
        add column version bigint not null`);
  }
}
