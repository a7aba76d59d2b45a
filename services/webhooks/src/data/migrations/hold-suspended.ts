import type { Migration, QueryRunner } from '@frontdesk/database';

/**
 * Endpoints of suspended tenants are held. Once the tenant is resumed, its waiting deliveries are parked (`due_at` is
 * infinity) and released at the rate of replays; `release_at` is set until none is parked. Deliveries that are dropped unsent,
 * because they waited beyond the retention, are counted.
 */
export class HoldSuspended1790000000110 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table endpoints
        add column is_suspended boolean not null default false,
        add column release_at timestamptz,
        add column dropped_deliveries integer not null default 0`);
    await runner.query(
      'create index endpoints_suspended on endpoints (id) where is_suspended and deleted_at is null',
    );
    await runner.query(
      'create index endpoints_releasing on endpoints (release_at) where release_at is not null',
    );
    await runner.query(`create index tenants_suspended on tenants (tenant_id) where status = 'suspended'`);
    await runner.query(`
      create function drop_days(first_kept_day bigint) returns table (tenant_id bigint, deliveries bigint) language plpgsql as $$
      #variable_conflict use_column
      declare
        counted jsonb;
      begin
        perform pg_advisory_xact_lock(hashtext('webhooks.partitions'));
        with dropped as (
          delete from delivery_queue where delivery_id < first_kept_day * 10000000000
          returning tenant_id, endpoint_id, lease_token
        ), counts as (
          -- What is under way may get through.
          select tenant_id, endpoint_id, count(*) as deliveries from dropped where lease_token is null
          group by tenant_id, endpoint_id
        )
        select coalesce(jsonb_agg(to_jsonb(counts)), '[]') into counted from counts;
        perform drop_partitions(first_kept_day);
        update endpoints e set dropped_deliveries = e.dropped_deliveries + c.deliveries
        from jsonb_to_recordset(counted) as c (tenant_id bigint, endpoint_id bigint, deliveries integer)
        where e.tenant_id = c.tenant_id and e.id = c.endpoint_id;
        return query
          select c.tenant_id, sum(c.deliveries)::bigint
          from jsonb_to_recordset(counted) as c (tenant_id bigint, deliveries integer)
          group by c.tenant_id;
      end $$`);
  }
}
