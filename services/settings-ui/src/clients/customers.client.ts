import {
  appointmentSchema,
  type CreateCustomer,
  customerCounts,
  customerListEntry,
  customerSchema,
  namedCustomer,
  stagesInUse,
  type UpdateCustomer,
} from '@frontdesk/contracts';
import type { TenantApis } from './service-clients.ts';

export type CustomersClient = ReturnType<typeof createCustomersClient>;

const CUSTOMERS = '/customers';

/** The customers of one tenant from crm, and their appointments from scheduling. */
export const createCustomersClient = ({ crm, scheduling }: Pick<TenantApis, 'crm' | 'scheduling'>) => ({
  /** By the query of the API's list: `search`, `segment`, `pipeline_stage`, `sort`, `cursor`, `page`, `per_page`. */
  list: (tenantId: number, query: Record<string, string>) =>
    crm.getPage(tenantId, `${CUSTOMERS}?${new URLSearchParams(query)}`, customerListEntry.array()),
  /** The names of those that there are. */
  byIds: (tenantId: number, ids: number[]) =>
    crm.search(tenantId, `${CUSTOMERS}/by-ids`, namedCustomer.array(), { ids }),
  /** A customer's coming appointments, the next one first, or all others, the latest first. */
  appointments: (
    tenantId: number,
    id: number,
    { isComing, ...paging }: { isComing: boolean; page: string; per_page: string },
  ) => {
    const order = { is_coming: String(isComing), sort: isComing ? 'starts_at' : '-starts_at' };
    const query = new URLSearchParams({ customer_id: String(id), ...order, ...paging });
    return scheduling.getPage(tenantId, `/appointments?${query}`, appointmentSchema.array());
  },
  /** How many there are of each segment. */
  counts: (tenantId: number) => crm.get(tenantId, '/customer-counts', customerCounts),
  /** The pipeline stages in use. Where a business has very many, that costs crm something. */
  stages: (tenantId: number) => crm.get(tenantId, '/pipeline-stages', stagesInUse),
  /** @throws AppError 404 */
  find: (tenantId: number, id: number) => crm.getVersioned(tenantId, `${CUSTOMERS}/${id}`, customerSchema),
  /** @throws AppError 422 on `phone` where another customer has the number */
  add: (tenantId: number, body: CreateCustomer, idempotencyKey?: string) =>
    crm.post(tenantId, CUSTOMERS, customerSchema, { body, idempotencyKey }),
  change: (tenantId: number, id: number, body: UpdateCustomer, ifMatch: string | undefined) =>
    crm.patch(tenantId, `${CUSTOMERS}/${id}`, customerSchema, { body, ifMatch }),
});
