import { systemSql } from '@frontdesk/database';

export interface ClaimRow {
  tenant_id: number;
  id: number;
  endpoint_id: number;
  event_id: string;
  attempt_count: number;
  url: string;
  secret: string;
  body: string;
}

type ClaimArgs = [
  afterEndpointId: number,
  perEndpoint: number,
  busyEndpointIds: number[],
  busyCounts: number[],
  limit: number,
  token: string,
  leaseMs: number,
];

/**
 * `lanes` steps through the index from one endpoint with something pending to the next, and only as far as the limit
 * makes it; of each, `claimed` takes the longest due, as many as the endpoint has room for. An endpoint without room
 * costs one step, however long its backlog. Rows that another process is just claiming are skipped.
 */
export const claimDue = systemSql<ClaimRow, ClaimArgs>(
  'deliveries_claim',
  `with recursive lanes as (
     (select endpoint_id from deliveries where status = 'pending' and endpoint_id > $1 order by endpoint_id limit 1)
     union all
     select (
       select d.endpoint_id from deliveries d
       where d.status = 'pending' and d.endpoint_id > lanes.endpoint_id order by d.endpoint_id limit 1
     )
     from lanes where lanes.endpoint_id is not null
   ), claimed as (
     select due.tenant_id, due.id
     from lanes cross join lateral (
       select d.tenant_id, d.id from deliveries d
       where d.status = 'pending' and d.endpoint_id = lanes.endpoint_id
         and greatest(d.next_attempt_at, d.leased_until) <= now()
       order by greatest(d.next_attempt_at, d.leased_until)
       limit $2::integer - coalesce((
         select busy.in_flight from unnest($3::bigint[], $4::integer[]) as busy (endpoint_id, in_flight)
         where busy.endpoint_id = lanes.endpoint_id
       ), 0)
       for update skip locked
     ) due
     limit $5
   )
   update deliveries d set lease_token = $6, leased_until = now() + $7::integer * interval '1 millisecond'
   from claimed c, endpoints e, events v
   where d.tenant_id = c.tenant_id and d.id = c.id
     and e.tenant_id = d.tenant_id and e.id = d.endpoint_id
     and v.tenant_id = d.tenant_id and v.event_id = d.event_id and v.name = d.name
   returning d.tenant_id, d.id, d.endpoint_id, d.event_id, d.attempt_count, e.url, e.secret, v.body`,
);

type ResultArgs = [
  ...[
    tenantIds: number[],
    deliveryIds: number[],
    tokens: string[],
    statuses: string[],
    delaysMs: (number | null)[],
  ],
  ...[httpStatuses: (number | null)[], responseBodies: (string | null)[], startedAts: Date[]],
  ...[durationsMs: number[], errorClasses: (string | null)[]],
];

/**
 * Only the holder of the lease writes: a result that comes after someone else's claim changes nothing. A delivery that
 * was cancelled under way is delivered if it got through, and stays cancelled otherwise.
 */
export const recordResults = systemSql<{ status: string }, ResultArgs>(
  'deliveries_record',
  `with results as (
     select * from unnest(
       $1::bigint[], $2::bigint[], $3::uuid[], $4::text[], $5::integer[],
       $6::integer[], $7::text[], $8::timestamptz[], $9::integer[], $10::text[]
     ) as r (tenant_id, delivery_id, lease_token, status, delay_ms,
             http_status, response_body, started_at, duration_ms, error_class)
   ), finished as (
     update deliveries d set
       status = case when d.status = 'cancelled' and r.status <> 'delivered' then d.status else r.status end,
       attempt_count = d.attempt_count + 1,
       next_attempt_at = case when d.status = 'pending' then now() + r.delay_ms * interval '1 millisecond' end,
       lease_token = null,
       leased_until = null,
       http_status = r.http_status,
       response_body = r.response_body,
       delivered_at = case when r.status = 'delivered' then now() end
     from results r
     where d.tenant_id = r.tenant_id and d.id = r.delivery_id and d.lease_token = r.lease_token
     returning d.tenant_id, d.id, d.attempt_count, d.status
   ), logged as (
     insert into attempts
       (tenant_id, delivery_id, attempt, started_at, duration_ms, http_status, error_class, response_body)
     select f.tenant_id, f.id, f.attempt_count, r.started_at, r.duration_ms, r.http_status, r.error_class, r.response_body
     from finished f join results r on r.tenant_id = f.tenant_id and r.delivery_id = f.id
   )
   select status from finished`,
);

/** Due again at once, without an attempt having been made. */
export const releaseLeases = systemSql<never, [tenantIds: number[], deliveryIds: number[], tokens: string[]]>(
  'deliveries_release',
  `update deliveries d set lease_token = null, leased_until = null
   from unnest($1::bigint[], $2::bigint[], $3::uuid[]) as r (tenant_id, delivery_id, lease_token)
   where d.tenant_id = r.tenant_id and d.id = r.delivery_id and d.lease_token = r.lease_token`,
);

export const disableEndpoints = systemSql<
  never,
  [tenantIds: number[], endpointIds: number[], reason: string]
>(
  'endpoints_disable',
  `update endpoints e set is_active = false, disabled_reason = $3
   from unnest($1::bigint[], $2::bigint[]) as r (tenant_id, endpoint_id)
   where e.tenant_id = r.tenant_id and e.id = r.endpoint_id and e.is_active`,
);

export const cancelWaiting = systemSql<never, [tenantIds: number[], endpointIds: number[]]>(
  'deliveries_cancel_of_disabled',
  `with waiting as (
     select d.tenant_id, d.id from deliveries d
     join unnest($1::bigint[], $2::bigint[]) as r (tenant_id, endpoint_id)
       on d.tenant_id = r.tenant_id and d.endpoint_id = r.endpoint_id
     where d.status = 'pending' order by d.id for update of d
   )
   update deliveries d set status = 'cancelled', next_attempt_at = null
   from waiting w where d.tenant_id = w.tenant_id and d.id = w.id`,
);

export const oldestDue = systemSql<{ age_seconds: number }>(
  'deliveries_oldest_due',
  `with recursive lanes as (
     (select endpoint_id from deliveries where status = 'pending' order by endpoint_id limit 1)
     union all
     select (
       select d.endpoint_id from deliveries d
       where d.status = 'pending' and d.endpoint_id > lanes.endpoint_id order by d.endpoint_id limit 1
     )
     from lanes where lanes.endpoint_id is not null
   )
   select coalesce(extract(epoch from now() - min(first.due_at)), 0)::float8 as age_seconds
   from lanes cross join lateral (
     select greatest(d.next_attempt_at, d.leased_until) as due_at from deliveries d
     where d.status = 'pending' and d.endpoint_id = lanes.endpoint_id
     order by greatest(d.next_attempt_at, d.leased_until) limit 1
   ) first
   where first.due_at <= now()`,
);
