import {
  type CreateAppointment,
  schedulingRoutes as routes,
  type SlotsAdminQuery,
  type UpdateAppointmentAdmin,
} from '@frontdesk/contracts';
import type { Session } from '../session/session.rules.ts';
import type { TenantApis } from './internal-apis.client.ts';

export type AppointmentsClient = ReturnType<typeof createAppointmentsClient>;

/** Whose change it is: an appointment's history names them. A page's session is one. */
type By = Pick<Session, 'tenantId' | 'membershipId'>;

/** The appointments of one tenant: its days and free times, from scheduling. */
export const createAppointmentsClient = ({ scheduling }: Pick<TenantApis, 'scheduling'>) => ({
  /** `date`: Y-m-d, or `today`, by the business's clocks. */
  day: (tenantId: number, date: string) => scheduling.get(routes.getDay, { tenantId, date }),
  /** The days of the week around it, from Monday on. */
  week: (tenantId: number, date: string) => scheduling.get(routes.getWeek, { tenantId, date }),
  /** The day and its ETag; null while it is still what `seen`, an earlier one, stands for. So for `changedWeek`. */
  changedDay: (tenantId: number, date: string, seen: string | undefined) =>
    scheduling.getChanged(routes.getDay, { tenantId, date, ifNoneMatch: seen }),
  changedWeek: (tenantId: number, date: string, seen: string | undefined) =>
    scheduling.getChanged(routes.getWeek, { tenantId, date, ifNoneMatch: seen }),
  appointment: (tenantId: number, id: number) =>
    scheduling.getVersioned(routes.getAppointment, { tenantId, id }),
  /** Who has changed what about one, the latest first. */
  history: (tenantId: number, id: number) => scheduling.get(routes.listAppointmentHistory, { tenantId, id }),
  /** Free times in order. @throws AppError `too_much_asked` for several days of a very large business */
  slots(tenantId: number, { date, date_to, service_id, staff_id, moved_id }: SlotsAdminQuery) {
    const query = {
      date,
      service_id,
      ...(date_to !== undefined && { date_to }),
      ...(staff_id !== undefined && { staff_id }),
      ...(moved_id !== undefined && { moved_id }),
    };
    return scheduling.get(routes.listSlots, { tenantId, query });
  },
  /** @throws AppError `slot_unavailable` with alternatives */
  book: ({ tenantId, membershipId }: By, body: CreateAppointment, idempotencyKey: string | undefined) =>
    scheduling.change(routes.createAppointment, { tenantId, userId: membershipId, body, idempotencyKey }),
  /** @throws AppError `slot_unavailable` with alternatives */
  change: (
    { tenantId, membershipId }: By,
    id: number,
    body: UpdateAppointmentAdmin,
    ifMatch: string | undefined,
  ) => scheduling.change(routes.updateAppointment, { tenantId, userId: membershipId, id, body, ifMatch }),
});
