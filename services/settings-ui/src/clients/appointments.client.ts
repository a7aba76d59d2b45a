import { appointmentAdminSchema, daySchema, namedCustomer } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

export type AppointmentsClient = ReturnType<typeof createAppointmentsClient>;

/** The appointments of one tenant: its days from scheduling, its customers' names from crm. */
export function createAppointmentsClient(
  { scheduling, crm }: { scheduling: ServiceClient; crm: ServiceClient },
  options: { readTimeoutMs: number },
) {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}`;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;

  return {
    /** `date`: Y-m-d, or `today`, by the business's clocks. */
    day: (tenantId: number, date: string) =>
      scheduling.request({ ...read, tenantId, path: `${pathOf(tenantId)}/days/${date}`, schema: daySchema }),
    appointment: (tenantId: number, id: number) =>
      scheduling.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/appointments/${id}`,
        schema: appointmentAdminSchema,
      }),
    customers: (tenantId: number, ids: number[]) =>
      crm.request({
        ...read,
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/customers/by-ids`,
        body: { ids },
        schema: namedCustomer.array(),
      }),
  };
}
