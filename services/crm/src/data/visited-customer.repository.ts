import { type SystemTransaction, systemSql } from '@frontdesk/database';
import type { CustomerRow, VisitTotals } from '../domain/customer.ts';
import type { VisitRow } from '../domain/visit.ts';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';
import { customerTotals } from './customer-totals.ts';

interface CustomerKey {
  tenant_id: number;
  id: number;
}

export interface CurrentTotals extends CustomerKey, VisitTotals {
  currency: string;
}

type Keys = [tenantIds: number[], ids: number[]];

const keysOf = (customers: readonly CustomerKey[]): Keys => [
  customers.map(({ tenant_id }) => tenant_id),
  customers.map(({ id }) => id),
];

const lockVisited = systemSql<
  CustomerKey,
  [tenantIds: number[], customerIds: number[], appointmentIds: number[]]
>(
  'customers_lock_visited',
  // Also those whose appointments these were. In order: two consumers then wait for each other and never deadlock.
  `select c.tenant_id, c.id from customers c
   join (
     select tenant_id, customer_id
     from unnest($1::bigint[], $2::bigint[]) as given (tenant_id, customer_id)
     union
     select v.tenant_id, v.customer_id
     from unnest($1::bigint[], $3::bigint[]) as given (tenant_id, appointment_id)
     join visits v using (tenant_id, appointment_id)
   ) visited on c.tenant_id = visited.tenant_id and c.id = visited.customer_id
   order by c.tenant_id, c.id
   for update of c`,
);

/** The customers of these appointments, held until the transaction ends: the totals of one customer change one after the other. */
export const lockVisitedCustomers = (tx: SystemTransaction, visits: readonly VisitRow[]) =>
  tx.many(
    lockVisited,
    visits.map(({ tenant_id }) => tenant_id),
    visits.map(({ customer_id }) => customer_id),
    visits.map(({ appointment_id }) => appointment_id),
  );

const currentTotals = systemSql<CurrentTotals, Keys>(
  'customers_current_totals',
  `select c.tenant_id, c.id, t.currency, totals.*
   from unnest($1::bigint[], $2::bigint[]) as given (tenant_id, id)
   join customers c using (tenant_id, id)
   join tenants t using (tenant_id)
   ${customerTotals('t.currency')}`,
);

export const readTotals = (tx: SystemTransaction, customers: readonly CustomerKey[]) =>
  tx.many(currentTotals, ...keysOf(customers));

const renewTotals = systemSql<CustomerRow & CustomerKey, Keys>(
  'customers_renew_totals',
  // clock_timestamp: now() is the transaction's start, which may lie before the change that this one waited for.
  `update customers c set version = c.version + 1, totals_version = c.totals_version + 1, updated_at = clock_timestamp()
   from unnest($1::bigint[], $2::bigint[]) as given (tenant_id, id)
   where c.tenant_id = given.tenant_id and c.id = given.id
   returning c.tenant_id, ${CUSTOMER_COLUMNS}`,
);

/** Notes that the totals of these customers are others, and returns their rows. */
export const noteOtherTotals = (tx: SystemTransaction, customers: readonly CustomerKey[]) =>
  tx.many(renewTotals, ...keysOf(customers));
