import {
  appointmentSchema,
  callListEntry,
  customerListEntry,
  type SlotsQuery,
  slotSchema,
} from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';
import type { z } from 'zod';
import type { ServiceClients } from './service-clients.ts';

export type ExamplesClient = ReturnType<typeof createExamplesClient>;

/** What the documentation's examples name of one tenant's own. */
export function createExamplesClient(
  { scheduling, crm, calls }: Pick<ServiceClients, 'scheduling' | 'crm' | 'calls'>,
  { readTimeoutMs: timeoutMs }: { readTimeoutMs: number },
) {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}`;
  /** The newest, or the latest, of a list of the API; empty where there is none. */
  const first =
    (service: ServiceClient, list: string, record: z.ZodType<{ id: number }>) => (tenantId: number) => {
      const path = `${pathOf(tenantId)}/${list}?per_page=1`;
      return service.request({ method: 'GET', timeoutMs, tenantId, path, schema: record.array() });
    };

  return {
    appointment: first(scheduling, 'appointments', appointmentSchema),
    customer: first(crm, 'customers', customerListEntry),
    call: first(calls, 'calls', callListEntry),
    slots(tenantId: number, { staff_id, ...query }: SlotsQuery) {
      const search = new URLSearchParams({
        ...{ date: query.date, date_to: query.date_to ?? query.date, service_id: String(query.service_id) },
        ...(staff_id !== undefined && { staff_id: String(staff_id) }),
      });
      const path = `${pathOf(tenantId)}/slots?${search}`;
      return scheduling.request({ method: 'GET', timeoutMs, tenantId, path, schema: slotSchema.array() });
    },
  };
}
