import { MAX_COUNTED_WAITING } from '@frontdesk/contracts';
import { type Database, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

/** Of a tenant's deliveries that came to an end in one hour, those of one outcome that took about as long. */
export interface DeliveryCount {
  tenantId: number;
  /** Its first instant. */
  hour: Date;
  outcome: 'delivered' | 'failed';
  /** -1: without a latency. */
  latencyBucket: number;
  deliveries: number;
}

interface CountRow {
  hour: Date;
  outcome: DeliveryCount['outcome'];
  latency_bucket: number;
  deliveries: number;
}

const KEPT_HOURS = 26;

// In one order, so that two processes never wait for each other in a circle.
const addCounts = systemSql<
  never,
  [tenantIds: number[], hours: Date[], outcomes: string[], buckets: number[], deliveries: number[]]
>(
  'delivery_counts_add',
  `insert into delivery_counts as known (tenant_id, hour, outcome, latency_bucket, deliveries)
   select * from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::smallint[], $5::bigint[]) order by 1, 2, 3, 4
   on conflict (tenant_id, hour, outcome, latency_bucket)
   do update set deliveries = known.deliveries + excluded.deliveries`,
);

const forgetCounts = systemSql<never>(
  'delivery_counts_forget',
  `delete from delivery_counts where hour < now() - interval '${KEPT_HOURS} hours'`,
);

const readCounts = tenantSql<CountRow, [from: Date]>(
  'delivery_counts_read',
  `select hour, outcome, latency_bucket, deliveries from delivery_counts where tenant_id = $1 and hour >= $2`,
);

const countWaiting = tenantSql<{ endpoints: number; waiting: number }>(
  'deliveries_waiting',
  `with own as materialized (select id from endpoints where tenant_id = $1 and deleted_at is null)
   select (select count(*) from own) as endpoints, (
     select count(*) from (
       select from own cross join lateral (
         select from delivery_queue q where q.endpoint_id = own.id and q.lease_token is null
         union all
         select from delivery_queue q where q.endpoint_id = own.id and q.lease_token is not null
       ) waiting
       limit ${MAX_COUNTED_WAITING}
     ) counted
   ) as waiting`,
);

export interface DeliveryCounts {
  /** Adds to what all processes have counted. */
  add(counts: readonly DeliveryCount[]): Promise<void>;
  /** Forgets the hours that nobody asks for any more. */
  forget(): Promise<void>;
}

export function createDeliveryCounts({ system }: Database): DeliveryCounts {
  return {
    async add(counts) {
      await system.run(
        addCounts,
        counts.map(({ tenantId }) => tenantId),
        counts.map(({ hour }) => hour),
        counts.map(({ outcome }) => outcome),
        counts.map(({ latencyBucket }) => latencyBucket),
        counts.map(({ deliveries }) => deliveries),
      );
    },
    async forget() {
      await system.run(forgetCounts);
    },
  };
}

/** A tenant's counts from this hour on. */
export const deliveryCountsSince = (db: TenantReads, from: Date) => db.many(readCounts, from);

/** How many endpoints a tenant has, and how many deliveries wait for them. */
export const waitingDeliveries = (db: TenantReads) => db.one(countWaiting);
