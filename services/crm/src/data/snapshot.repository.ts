import { type SystemScope, systemSql } from '@frontdesk/database';
import type { CustomerRow } from '../domain/customer.ts';
import { CUSTOMER_COLUMNS } from './customer.repository.ts';

const findAfter = systemSql<
  CustomerRow & { tenant_id: number },
  [afterTenant: number, afterId: number, limit: number]
>(
  'snapshot_customers',
  `select c.tenant_id, ${CUSTOMER_COLUMNS} from customers c
   where (c.tenant_id, c.id) > ($1, $2)
   order by c.tenant_id, c.id
   limit $3`,
);

/** Customers of all tenants by tenant and id, from the first after the given one. */
export const customersAfter = (system: SystemScope, after: { tenantId: number; id: number }, limit: number) =>
  system.many(findAfter, after.tenantId, after.id, limit);
