import { appointmentAdminSchema, daySchema, namedCustomer } from '@frontdesk/contracts';
import type { TenantApis } from './service-clients.ts';

export type AppointmentsClient = ReturnType<typeof createAppointmentsClient>;

/** The appointments of one tenant: its days from scheduling, its customers' names from crm. */
export const createAppointmentsClient = ({ scheduling, crm }: Pick<TenantApis, 'scheduling' | 'crm'>) => ({
  /** `date`: Y-m-d, or `today`, by the business's clocks. */
  day: (tenantId: number, date: string) => scheduling.get(tenantId, `/days/${date}`, daySchema),
  appointment: (tenantId: number, id: number) =>
    scheduling.get(tenantId, `/appointments/${id}`, appointmentAdminSchema),
  customers: (tenantId: number, ids: number[]) =>
    crm.search(tenantId, '/customers/by-ids', namedCustomer.array(), { ids }),
});
