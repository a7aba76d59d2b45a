import {
  appointmentAdminSchema,
  appointmentSchema,
  type CreateAppointment,
  daySchema,
  type SlotsQuery,
  slotSchema,
  type UpdateAppointment,
} from '@frontdesk/contracts';
import type { TenantApis } from './service-clients.ts';

export type AppointmentsClient = ReturnType<typeof createAppointmentsClient>;

const APPOINTMENTS = '/appointments';

/** The appointments of one tenant: its days and free times, from scheduling. */
export const createAppointmentsClient = ({ scheduling }: Pick<TenantApis, 'scheduling'>) => ({
  /** `date`: Y-m-d, or `today`, by the business's clocks. */
  day: (tenantId: number, date: string) => scheduling.get(tenantId, `/days/${date}`, daySchema),
  /** The days of the week around it, from Monday on. */
  week: (tenantId: number, date: string) => scheduling.get(tenantId, `/weeks/${date}`, daySchema.array()),
  /** The day and its ETag; null while it is still what `seen`, an earlier one, stands for. So for `changedWeek`. */
  changedDay: (tenantId: number, date: string, seen: string | undefined) =>
    scheduling.getChanged(tenantId, `/days/${date}`, daySchema, seen),
  changedWeek: (tenantId: number, date: string, seen: string | undefined) =>
    scheduling.getChanged(tenantId, `/weeks/${date}`, daySchema.array(), seen),
  appointment: (tenantId: number, id: number) =>
    scheduling.getVersioned(tenantId, `${APPOINTMENTS}/${id}`, appointmentAdminSchema),
  /** Free times in order. @throws AppError `too_much_asked` for several days of a very large business */
  slots(tenantId: number, { date, date_to, service_id, staff_id }: SlotsQuery) {
    const query = new URLSearchParams({
      ...{ date, service_id: String(service_id) },
      ...(date_to !== undefined && { date_to }),
      ...(staff_id !== undefined && { staff_id: String(staff_id) }),
    });
    return scheduling.get(tenantId, `/slots?${query}`, slotSchema.array());
  },
  /** @throws AppError `slot_unavailable` with alternatives */
  book: (tenantId: number, body: CreateAppointment, idempotencyKey: string | undefined) =>
    scheduling.post(tenantId, APPOINTMENTS, appointmentSchema, { body, idempotencyKey }),
  /** @throws AppError `slot_unavailable` with alternatives */
  change: (tenantId: number, id: number, body: UpdateAppointment, ifMatch: string | undefined) =>
    scheduling.patch(tenantId, `${APPOINTMENTS}/${id}`, appointmentSchema, { body, ifMatch }),
});
