import type { Migration, QueryRunner } from '@frontdesk/database';

/** The businesses whose calls wait for room for new customers, and when crm is asked about one of those calls. */
export class ParkCalls1790000000227 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table parked_tenants (
        tenant_id bigint primary key,
        probe_at timestamptz not null,
        probes integer not null default 0
      )`);
  }
}
