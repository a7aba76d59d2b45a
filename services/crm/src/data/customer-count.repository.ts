import { type CustomerCounts, type CustomerListEntry, customerListEntry } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';

type Segment = CustomerListEntry['segment'];
/** What customers are counted by. */
type Facets = Pick<CustomerRow, 'segment' | 'pipeline_stage'>;

const SEGMENTS = customerListEntry.shape.segment.options;
const ALL = 'customers';
const ofSegment = (segment: Segment) => `${ALL}/${segment}`;
const ofBoth = (segment: Segment, stage: string) => `${ALL}/${segment}/${stage}`;

const facetCounters = ({ segment, pipeline_stage: stage }: Facets) =>
  stage === null ? [ofSegment(segment)] : [ofSegment(segment), ofBoth(segment, stage)];

const insertDeltas = tenantSql<never, [counters: string[], deltas: number[]]>(
  'customers_counts_insert',
  'insert into counts (tenant_id, counter, delta) select $1, * from unnest($2::text[], $3::bigint[])',
);

const sum = tenantSql<{ total: number }, [counters: string[]]>(
  'customers_counts_total',
  `select coalesce(sum(delta), 0)::bigint as total from counts where tenant_id = $1 and counter = any($2)`,
);

/** The caller holds the customer's row, so that each change is counted from where the one before left off. */
export function countCustomer(
  tx: TenantTransaction,
  { before, after }: { before?: Facets; after: Facets },
): void {
  if (before?.segment === after.segment && before.pipeline_stage === after.pipeline_stage) return;
  const from = before ? facetCounters(before) : [];
  const to = before ? facetCounters(after) : [ALL, ...facetCounters(after)];
  tx.send(insertDeltas, [...from, ...to], [...from.map(() => -1), ...to.map(() => 1)]);
}

/** How many customers these filters (`segment`, `stage`) let through, however many there are; null where there are others. */
export function countCustomers(
  db: TenantReads,
  filters: ReadonlyMap<string, unknown>,
): Promise<number> | null {
  const { segment, stage, ...others } = Object.fromEntries(filters) as { segment?: Segment; stage?: string };
  if (Object.keys(others).length > 0) return null;
  const segments = segment ? [segment] : SEGMENTS;
  const counters = stage ? segments.map((each) => ofBoth(each, stage)) : [segment ? ofSegment(segment) : ALL];
  return db.one(sum, counters).then(({ total }) => total);
}

/** As many as people can choose from; stages are free text. */
const MOST_STAGES = 100;

const totals = tenantSql<{ counter: string; total: number }, [counters: string[]]>(
  'customers_counts_totals',
  `select counter, sum(delta)::bigint as total from counts
   where tenant_id = $1 and counter = any($2) group by counter`,
);

// As many counters are read as there are different stages, which may be any number.
const findStages = tenantSql<{ stage: string }>(
  'customers_counts_stages',
  `select regexp_replace(counter, '^${ALL}/[a-z]+/', '') as stage from counts
   where tenant_id = $1 and counter ~ '^${ALL}/[a-z]+/.'
   group by stage having sum(delta) > 0 order by sum(delta) desc, stage limit ${MOST_STAGES}`,
);

/** How many customers each segment has. */
export async function readCustomerCounts(db: TenantReads): Promise<CustomerCounts> {
  const rows = await db.many(totals, SEGMENTS.map(ofSegment));
  const totalOf = new Map(rows.map(({ counter, total }) => [counter, total]));
  const segments = Object.fromEntries(SEGMENTS.map((name) => [name, totalOf.get(ofSegment(name)) ?? 0]));
  return { segments: segments as CustomerCounts['segments'] };
}

/** The pipeline stages in use, the most common first. */
export const listStages = async (db: TenantReads): Promise<string[]> =>
  (await db.many(findStages)).map(({ stage }) => stage);
