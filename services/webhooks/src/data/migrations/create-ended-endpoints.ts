import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Endpoints that were deleted or disabled, until all that waited for them is cancelled. */
export class CreateEndedEndpoints1790000000105 implements MigrationInterface {
  name = 'CreateEndedEndpoints1790000000105';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table ended_endpoints (
        endpoint_id bigint primary key,
        tenant_id bigint not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ended_endpoints');
  }
}
