import {
  type CreateCustomer,
  type MergeCustomer,
  crmRoutes as routes,
  schedulingRoutes,
  type UpdateCustomerAdmin,
} from '@frontdesk/contracts';
import type { By } from '../session/session.rules.ts';
import type { TenantApis } from './internal-apis.client.ts';

/** Nobody has more, but by a mistake. */
const MOST_ON_A_DAY = 50;

export type CustomersClient = ReturnType<typeof createCustomersClient>;

/** The customers of one tenant from crm, and their appointments from scheduling. */
export const createCustomersClient = ({ crm, scheduling }: Pick<TenantApis, 'crm' | 'scheduling'>) => ({
  /** By the query of the API's list: `search`, `segment`, `pipeline_stage`, `sort`, `cursor`, `page`, `per_page`. */
  list: (by: By, query: Record<string, string>) => crm.getPage(routes.listCustomers, { by, query }),
  /** Whose names are like the search but for typing errors, without those who are found by it. */
  similar: (by: By, query: Record<string, string>) => crm.get(routes.listSimilarCustomers, { by, query }),
  /** The names of those that there are. */
  byIds: (by: By, ids: number[]) => crm.get(routes.listNamedCustomers, { by, body: { ids } }),
  /** A customer's coming appointments, the next one first, or all others, the latest first. */
  appointments: (
    by: By,
    id: number,
    { isComing, ...paging }: { isComing: boolean; page: string; per_page: string },
  ) => {
    const order = { is_coming: String(isComing), sort: isComing ? 'starts_at' : '-starts_at' };
    const query = { customer_id: id, ...order, ...paging };
    return scheduling.getPage(schedulingRoutes.listAppointments, { by, query });
  },
  /** How many appointments a customer has missed. */
  async noShows(by: By, id: number) {
    const query = { customer_id: id, status: 'no_show', per_page: 1 } as const;
    return (await scheduling.getPage(schedulingRoutes.listAppointments, { by, query })).total;
  },
  /** How many appointments a customer has, of all statuses. */
  appointmentCount: (by: By, id: number) =>
    scheduling.getPage(schedulingRoutes.listAppointments, {
      by,
      query: { customer_id: id, per_page: 1 },
    }),
  /** Those that a customer has on a day, in order. */
  appointmentsOn: (by: By, id: number, date: string) => {
    const query = { customer_id: id, date, sort: 'starts_at', per_page: MOST_ON_A_DAY };
    return scheduling.get(schedulingRoutes.listAppointments, { by, query });
  },
  /** How many there are of each segment. */
  counts: (by: By) => crm.get(routes.countCustomers, { by }),
  quotaUsage: (by: By) => crm.get(routes.getQuotaUsage, { by }),
  /** The pipeline stages in use. Where a business has very many, that costs crm something. */
  stages: (by: By) => crm.get(routes.listPipelineStages, { by }),
  /** @throws AppError 404 */
  find: (by: By, id: number) => crm.getVersioned(routes.getCustomer, { by, id }),
  /** @throws AppError 422 on `phone` where another customer has the number */
  add: (by: By, body: CreateCustomer, idempotencyKey?: string) =>
    crm.change(routes.createCustomer, { by, body, idempotencyKey }),
  change: (by: By, id: number, body: UpdateCustomerAdmin, ifMatch: string | undefined) =>
    crm.change(routes.updateCustomer, { by, id, body, ifMatch }),
  /** Makes another customer part of this one. @throws AppError 422 on `merged_id` where that is none any more */
  merge: (by: By, id: number, body: MergeCustomer, ifMatch: string | undefined) =>
    crm.change(routes.mergeCustomer, { by, id, body, ifMatch }),
});
