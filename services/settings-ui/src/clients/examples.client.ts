import { appointmentSchema, callListEntry, customerListEntry } from '@frontdesk/contracts';
import type { z } from 'zod';
import type { TenantApis } from './service-clients.ts';
import type { TenantApi } from './tenant-api.ts';

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
});
