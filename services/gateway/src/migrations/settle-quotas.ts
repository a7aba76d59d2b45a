import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * What tenants store as it was last measured, and quotas that are not in force yet for the tenants that are there
 * already, and for those that a process of the last release adds.
 */
export class SettleQuotas1790000001006 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table tenants add column unsettled_quotas text[] not null default '{customers,stored_bytes}',
         add column stored_bytes bigint,
         add column storage_full boolean not null default false`,
    );
  }
}
