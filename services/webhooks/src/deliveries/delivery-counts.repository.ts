import { COUNT_RETENTION_HOURS, MAX_COUNTED_WAITING } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

/** Of a tenant's deliveries that came to an end in one hour, those of one outcome that took about as long. */
export interface DeliveryCountRow {
  tenant_id: number;
  /** Its first instant. */
  hour: Date;
  outcome: 'delivered' | 'failed';
  /** -1: without a latency. */
  latency_bucket: number;
  deliveries: number;
}

// In one order, so that two processes never wait for each other in a circle.
const add = systemSql<
  never,
  { tenantIds: number[]; hours: Date[]; outcomes: string[]; buckets: number[]; deliveries: number[] }
>(
  'delivery_counts_add',
  `insert into delivery_counts as known (tenant_id, hour, outcome, latency_bucket, deliveries)
   select * from unnest($tenantIds::bigint[], $hours::timestamptz[], $outcomes::text[], $buckets::smallint[], $deliveries::bigint[]) order by 1, 2, 3, 4
   on conflict (tenant_id, hour, outcome, latency_bucket)
   do update set deliveries = known.deliveries + excluded.deliveries`,
);

const forget = systemSql<never>(
  'delivery_counts_forget',
  `delete from delivery_counts where hour < now() - interval '${COUNT_RETENTION_HOURS} hours'`,
);

const readCounts = tenantSql<Omit<DeliveryCountRow, 'tenant_id'>, { from: Date }>(
  'delivery_counts_read',
  `select hour, outcome, latency_bucket, deliveries from delivery_counts where tenant_id = $tenantId and hour >= $from`,
);

const countWaiting = tenantSql<{ endpoints: number; waiting: number }>(
  'deliveries_waiting',
  `with own as materialized (select id from endpoints where tenant_id = $tenantId and deleted_at is null)
   select (select count(*) from own) as endpoints, (
     select count(*) from (
       select from own cross join lateral (
         select from delivery_queue q where q.tenant_id = $tenantId and q.endpoint_id = own.id and q.lease_token is null
         union all
         select from delivery_queue q where q.tenant_id = $tenantId and q.endpoint_id = own.id and q.lease_token is not null
       ) waiting
       limit ${MAX_COUNTED_WAITING}
     ) counted
   ) as waiting`,
);

/** Adds to what all processes have counted. */
export const addCounts = (system: SystemScope, counts: readonly DeliveryCountRow[]) =>
  system.run(add, {
    tenantIds: counts.map(({ tenant_id }) => tenant_id),
    hours: counts.map(({ hour }) => hour),
    outcomes: counts.map(({ outcome }) => outcome),
    buckets: counts.map(({ latency_bucket }) => latency_bucket),
    deliveries: counts.map(({ deliveries }) => deliveries),
  });

/** Forgets the hours that nobody asks for any more. */
export const purgeCounts = (system: SystemScope) => system.run(forget);

/** A tenant's counts from this hour on. */
export const listDeliveryCounts = (db: TenantReads, from: Date) => db.many(readCounts, { from });

/** How many endpoints a tenant has, and how many deliveries wait for them. */
export const waitingDeliveries = (db: TenantReads) => db.one(countWaiting);
