import {
  type CustomerCounts,
  type CustomerListEntry,
  type CustomerTotal,
  customerListEntry,
  leastNear,
  MAX_QUOTA_USES,
  type QuotaUse,
} from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import type { CustomerRow } from './customer.rules.ts';

type Segment = CustomerListEntry['segment'];
/** What customers are counted by. */
type Facets = Pick<CustomerRow, 'segment' | 'pipeline_stage'>;

const SEGMENTS = customerListEntry.shape.segment.options;
export const ALL_CUSTOMERS = 'customers';
const ALL = ALL_CUSTOMERS;
const ofSegment = (segment: Segment) => `${ALL}/${segment}`;
const ofBoth = (segment: Segment, stage: string) => `${ALL}/${segment}/${stage}`;

const facetCounters = ({ segment, pipeline_stage: stage }: Facets) =>
  stage === null ? [ofSegment(segment)] : [ofSegment(segment), ofBoth(segment, stage)];

const allCounters = (facets: Facets) => [ALL, ...facetCounters(facets)];

const insertDeltas = tenantSql<never, { counters: string[]; deltas: number[] }>(
  'customers_counts_insert',
  'insert into counts (tenant_id, counter, delta) select $tenantId, * from unnest($counters::text[], $deltas::bigint[])',
);

const sum = tenantSql<{ total: number }, { counters: string[] }>(
  'customers_counts_total',
  `select coalesce(sum(delta), 0)::bigint as total from counts where tenant_id = $tenantId and counter = any($counters)`,
);

/**
 * A new customer has no `before`, a merged one no `after`. The caller holds the customer's row, so that each change is counted from where
 * the one before left off.
 */
export function countCustomer(
  tx: TenantTransaction,
  { before, after }: { before?: Facets; after?: Facets },
): void {
  if (before?.segment === after?.segment && before?.pipeline_stage === after?.pipeline_stage) return;
  const countersOf = before && after ? facetCounters : allCounters;
  const from = before ? countersOf(before) : [];
  const to = after ? countersOf(after) : [];
  tx.send(insertDeltas, { counters: [...from, ...to], deltas: [...from.map(() => -1), ...to.map(() => 1)] });
}

/** How many customers these filters (`segment`, `stage`) let through, however many there are; null where there are others. */
export function countCustomers(
  db: TenantReads,
  filters: Readonly<Record<string, unknown>>,
): Promise<number> | null {
  const { segment, stage, ...others } = filters as { segment?: Segment; stage?: string };
  if (Object.keys(others).length > 0) return null;
  const segments = segment ? [segment] : SEGMENTS;
  const counters = stage ? segments.map((each) => ofBoth(each, stage)) : [segment ? ofSegment(segment) : ALL];
  return db.one(sum, { counters }).then(({ total }) => total);
}

/** As many as people can choose from; stages are free text. */
const MOST_STAGES = 100;

const totals = tenantSql<{ counter: string; total: number }, { counters: string[] }>(
  'customers_counts_totals',
  `select counter, sum(delta)::bigint as total from counts
   where tenant_id = $tenantId and counter = any($counters) group by counter`,
);

// As many counters are read as there are different stages, which may be any number.
const findStages = tenantSql<{ stage: string }>(
  'customers_counts_stages',
  `select regexp_replace(counter, '^${ALL}/[a-z]+/', '') as stage from counts
   where tenant_id = $tenantId and counter ~ '^${ALL}/[a-z]+/.'
   group by stage having sum(delta) > 0 order by sum(delta) desc, stage limit ${MOST_STAGES}`,
);

/** How many customers each segment has. */
export async function readCustomerCounts(db: TenantReads): Promise<CustomerCounts> {
  const rows = await db.many(totals, { counters: SEGMENTS.map(ofSegment) });
  const totalOf = new Map(rows.map(({ counter, total }) => [counter, total]));
  const segments = Object.fromEntries(SEGMENTS.map((name) => [name, totalOf.get(ofSegment(name)) ?? 0]));
  return { segments: segments as CustomerCounts['segments'] };
}

/** The pipeline stages in use, the most common first. */
export const listStages = async (db: TenantReads): Promise<string[]> =>
  (await db.many(findStages)).map(({ stage }) => stage);

const findUses = systemSql<QuotaUse, { from: number; limit: number }>(
  'customers_quota_uses',
  `select tenant_id, 'customers' as quota, sum(delta)::bigint as used from counts where counter = '${ALL}'
   group by tenant_id having sum(delta) >= $from order by used desc limit $limit`,
);

/** Tenants that may be near their quota of customers, those with most first. */
export const findQuotaUses = (system: SystemScope) =>
  system.many(findUses, { from: leastNear('customers'), limit: MAX_QUOTA_USES });

const findTotals = systemSql<CustomerTotal, { tenantIds: number[] }>(
  'customers_totals',
  `select tenant_id, sum(delta)::bigint as customers from counts
   where tenant_id = any($tenantIds::bigint[]) and counter = '${ALL}' group by tenant_id`,
);

/** How many customers these tenants have; those without any are left out. */
export const countCustomersOfAll = (system: SystemScope, tenantIds: number[]) =>
  system.many(findTotals, { tenantIds });
