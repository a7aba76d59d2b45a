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
  /** The id of the first in a list; null where there is none. */
  const first =
    (service: ServiceClient, list: string, schema: z.ZodType<{ id: number }>) =>
    async (tenantId: number): Promise<number | null> => {
      const path = `${pathOf(tenantId)}/${list}?per_page=1`;
      const [record] = await service.request({
        method: 'GET',
        timeoutMs,
        tenantId,
        path,
        schema: schema.array(),
      });
      return record?.id ?? null;
    };

  return {
    appointmentId: first(scheduling, 'appointments', appointmentSchema),
    customerId: first(crm, 'customers', customerListEntry),
    callId: first(calls, 'calls', callListEntry),
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
