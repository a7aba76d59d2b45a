import {
  appointmentSchema,
  callListEntry,
  customerListEntry,
  type SlotsQuery,
  slotSchema,
} from '@frontdesk/contracts';
import type { z } from 'zod';
import type { TenantApis } from './service-clients.ts';
import type { TenantApi } from './tenant-api.ts';

export type ExamplesClient = ReturnType<typeof createExamplesClient>;

/** The newest, or the latest, of a list of the API; empty where there is none. */
const first = (api: TenantApi, list: string, record: z.ZodType<{ id: number }>) => (tenantId: number) =>
  api.get(tenantId, `/${list}?per_page=1`, record.array());

/** What the documentation's examples name of one tenant's own. */
export const createExamplesClient = ({
  scheduling,
  crm,
  calls,
}: Pick<TenantApis, 'scheduling' | 'crm' | 'calls'>) => ({
  appointment: first(scheduling, 'appointments', appointmentSchema),
  customer: first(crm, 'customers', customerListEntry),
  call: first(calls, 'calls', callListEntry),
  slots(tenantId: number, { staff_id, ...query }: SlotsQuery) {
    const search = new URLSearchParams({
      ...{ date: query.date, date_to: query.date_to ?? query.date, service_id: String(query.service_id) },
      ...(staff_id !== undefined && { staff_id: String(staff_id) }),
    });
    return scheduling.get(tenantId, `/slots?${search}`, slotSchema.array());
  },
});
