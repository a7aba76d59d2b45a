import { type SystemScope, type SystemTransaction, systemSql } from '@frontdesk/database';
import { CUSTOMER_COLUMNS, customerTotals } from '../customers/customer.repository.ts';
import type { CustomerRow, VisitTotals } from '../customers/customer.rules.ts';
import type { VisitRow } from './visit.rules.ts';

const upsertVisits = systemSql<
  never,
  {
    tenantIds: number[];
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
   select * from unnest(
     $tenantIds::bigint[], $appointmentIds::bigint[], $customerIds::bigint[], $statuses::text[], $pricesMinor::bigint[],
     $currencies::text[], $dates::date[], $versions::bigint[])
   order by 1, 2
   on conflict (tenant_id, appointment_id) do update set
     customer_id = excluded.customer_id, status = excluded.status, price_minor = excluded.price_minor,
     currency = excluded.currency, date = excluded.date, version = excluded.version
   where v.version < excluded.version`,
);

const findAny = systemSql<{ found: boolean }>('visits_any', 'select exists (select from visits) as found');

export const hasVisits = async (system: SystemScope) => (await system.one(findAny)).found;

/** Stores each visit unless a version at least as high is there. At most one entry for each appointment. */
export async function saveVisits(system: Pick<SystemScope, 'run'>, visits: VisitRow[]): Promise<void> {
  const column = <Key extends keyof VisitRow>(key: Key) => visits.map((visit) => visit[key]);
  await system.run(upsertVisits, {
    tenantIds: column('tenant_id'),
    appointmentIds: column('appointment_id'),
    customerIds: column('customer_id'),
    statuses: column('status'),
    pricesMinor: column('price_minor'),
    currencies: column('currency'),
    dates: column('date'),
    versions: column('version'),
  });
}

interface CustomerKey {
  tenant_id: number;
  id: number;
}

export interface CurrentTotals extends CustomerKey, VisitTotals {
  currency: string;
}

type Keys = { tenantIds: number[]; ids: number[] };

const keysOf = (customers: readonly CustomerKey[]): Keys => ({
  tenantIds: customers.map(({ tenant_id }) => tenant_id),
  ids: customers.map(({ id }) => id),
});

const lockVisited = systemSql<
  CustomerKey,
  { tenantIds: number[]; customerIds: number[]; appointmentIds: number[] }
>(
  'customers_lock_visited',
  // Includes the customers who had these appointments before. Sorted, so that two consumers can't deadlock.
  `select c.tenant_id, c.id from customers c
   join (
     select tenant_id, customer_id
     from unnest($tenantIds::bigint[], $customerIds::bigint[]) as given (tenant_id, customer_id)
     union
     select v.tenant_id, v.customer_id
     from unnest($tenantIds::bigint[], $appointmentIds::bigint[]) as given (tenant_id, appointment_id)
     join visits v using (tenant_id, appointment_id)
   ) visited on c.tenant_id = visited.tenant_id and c.id = visited.customer_id
   order by c.tenant_id, c.id
   for update of c`,
);

/** The customers of these appointments, held until the transaction ends: the totals of one customer change one after the other. */
export const lockVisitedCustomers = (tx: SystemTransaction, visits: readonly VisitRow[]) =>
  tx.many(lockVisited, {
    tenantIds: visits.map(({ tenant_id }) => tenant_id),
    customerIds: visits.map(({ customer_id }) => customer_id),
    appointmentIds: visits.map(({ appointment_id }) => appointment_id),
  });

const currentTotals = systemSql<CurrentTotals, Keys>(
  'customers_current_totals',
  `select c.tenant_id, c.id, t.currency, totals.*
   from unnest($tenantIds::bigint[], $ids::bigint[]) as given (tenant_id, id)
   join customers c using (tenant_id, id)
   join tenants t using (tenant_id)
   ${customerTotals('t.currency')}`,
);

export const readTotals = (tx: SystemTransaction, customers: readonly CustomerKey[]) =>
  tx.many(currentTotals, keysOf(customers));

const renewTotals = systemSql<CustomerRow & CustomerKey, Keys>(
  'customers_renew_totals',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update customers c set version = c.version + 1, totals_version = c.totals_version + 1, updated_at = clock_timestamp()
   from unnest($tenantIds::bigint[], $ids::bigint[]) as given (tenant_id, id)
   where c.tenant_id = given.tenant_id and c.id = given.id
   returning c.tenant_id, ${CUSTOMER_COLUMNS}`,
);

/** Notes that the totals of these customers are others, and returns their rows. */
export const noteOtherTotals = (tx: SystemTransaction, customers: readonly CustomerKey[]) =>
  tx.many(renewTotals, keysOf(customers));
