import type { Migration, QueryRunner } from '@frontdesk/database';

/** Endpoints that were deleted or disabled, until all that waited for them is cancelled. */
export class CreateEndedEndpoints1790000000105 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ended_endpoints (
        endpoint_id bigint primary key,
        tenant_id bigint not null
      )`);
  }
}
