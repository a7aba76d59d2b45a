import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { currentCustomer } from '@frontdesk/merges';
import { CUSTOMER_COLUMNS, customerTotals } from '../customers/customer.repository.ts';
import type { CustomerRow, VisitTotals } from '../customers/customer.rules.ts';
import type { VisitRow } from './visit.rules.ts';

const upsertVisits = tenantSql<
  never,
  {
    appointmentIds: number[];
    customerIds: number[];
    statuses: string[];
    pricesMinor: number[];
    currencies: string[];
    dates: string[];
    versions: number[];
  }
>(
  'visits_upsert',
  // In order of the key: two consumers that overlap during a rebalance then wait for each other and never deadlock.
  `insert into visits as v (tenant_id, appointment_id, customer_id, status, price_minor, currency, date, version)
   select $tenantId, given.appointment_id, ${currentCustomer('$tenantId', 'given.customer_id')}, given.status, given.price_minor,
     given.currency, given.date, given.version
   from unnest($appointmentIds::bigint[], $customerIds::bigint[], $statuses::text[], $pricesMinor::bigint[],
     $currencies::text[], $dates::date[], $versions::bigint[])
     as given (appointment_id, customer_id, status, price_minor, currency, date, version)
   order by given.appointment_id
   on conflict (tenant_id, appointment_id) do update set
     customer_id = excluded.customer_id, status = excluded.status, price_minor = excluded.price_minor,
     currency = excluded.currency, date = excluded.date, version = excluded.version
   where v.version < excluded.version`,
);

const findAny = systemSql<{ found: boolean }>('visits_any', 'select exists (select from visits) as found');

export const hasVisits = async (system: SystemScope) => (await system.one(findAny)).found;

/**
 * Stores each visit of the business unless a version at least as high is there. At most one entry for each appointment. One of a merged
 * customer is stored as that of whom they are part of.
 */
export async function saveVisits(db: TenantReads, visits: readonly VisitRow[]): Promise<void> {
  const column = <Key extends keyof VisitRow>(key: Key) => visits.map((visit) => visit[key]);
  await db.run(upsertVisits, {
    appointmentIds: column('appointment_id'),
    customerIds: column('customer_id'),
    statuses: column('status'),
    pricesMinor: column('price_minor'),
    currencies: column('currency'),
    dates: column('date'),
    versions: column('version'),
  });
}

export interface CurrentTotals extends VisitTotals {
  id: number;
  currency: string;
}

/** Customers by their ids, and by appointments that they have. */
export interface Visited {
  customerIds: number[];
  appointmentIds: number[];
}

// Includes the customers who had these appointments before, and those whom merged ones are part of. Sorted, so that two consumers can't
// deadlock.
const VISITED = `
  select c.id from customers c
  where c.tenant_id = $tenantId and c.id in (
    select ${currentCustomer('$tenantId', 'given.id')} from unnest($customerIds::bigint[]) as given (id)
    union
    select v.customer_id from visits v where v.tenant_id = $tenantId and v.appointment_id = any($appointmentIds::bigint[])
  )
  order by c.id`;

const lockVisited = tenantSql<{ id: number }, Visited>(
  'customers_lock_visited',
  `${VISITED} for update of c`,
);

const findVisited = tenantSql<{ id: number }, Visited>('customers_find_visited', VISITED);

/**
 * These customers, held until the transaction ends: the totals of one customer change one after the other. Null where a merge that this
 * waited for has made it others.
 */
export async function lockVisitedCustomers(
  tx: TenantTransaction,
  visited: Visited,
): Promise<number[] | null> {
  // A statement of its own: one that waited for a lock would still see who was merged before it waited.
  const [locked, present] = await Promise.all([tx.many(lockVisited, visited), tx.many(findVisited, visited)]);
  const ids = locked.map(({ id }) => id);
  return present.every(({ id }) => ids.includes(id)) ? ids : null;
}

const currentTotals = tenantSql<CurrentTotals, { ids: number[] }>(
  'customers_current_totals',
  `select c.id, t.currency, totals.*
   from customers c join tenants t on t.tenant_id = c.tenant_id
   ${customerTotals('t.currency')}
   where c.tenant_id = $tenantId and c.id = any($ids::bigint[])`,
);

export const readTotals = (tx: TenantTransaction, ids: number[]) => tx.many(currentTotals, { ids });

const renewTotals = tenantSql<CustomerRow, { ids: number[] }>(
  'customers_renew_totals',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update customers c set version = c.version + 1, totals_version = c.totals_version + 1, updated_at = clock_timestamp()
   where c.tenant_id = $tenantId and c.id = any($ids::bigint[])
   returning ${CUSTOMER_COLUMNS}`,
);

/** Notes that the totals of these customers are others, and returns their rows. */
export const noteOtherTotals = (tx: TenantTransaction, ids: number[]) => tx.many(renewTotals, { ids });
