import {
  type CreateAppointment,
  schedulingRoutes as routes,
  type SlotsAdminQuery,
  type UpdateAppointmentAdmin,
} from '@frontdesk/contracts';
import type { By } from '../session/session.rules.ts';
import type { TenantApis } from './internal-apis.client.ts';

export type AppointmentsClient = ReturnType<typeof createAppointmentsClient>;

/** The appointments of one tenant: its days and free times, from scheduling. */
export const createAppointmentsClient = ({ scheduling }: Pick<TenantApis, 'scheduling'>) => ({
  /** `date`: Y-m-d, or `today`, by the business's clocks. */
  day: (by: By, date: string) => scheduling.get(routes.getDay, { by, date }),
  /** The days of the week around it, from Monday on. */
  week: (by: By, date: string) => scheduling.get(routes.getWeek, { by, date }),
  /** The day and its ETag; null while it is still what `seen`, an earlier one, stands for. So for `changedWeek`. */
  changedDay: (by: By, date: string, seen: string | undefined) =>
    scheduling.getChanged(routes.getDay, { by, date, ifNoneMatch: seen }),
  changedWeek: (by: By, date: string, seen: string | undefined) =>
    scheduling.getChanged(routes.getWeek, { by, date, ifNoneMatch: seen }),
  appointment: (by: By, id: number) => scheduling.getVersioned(routes.getAppointment, { by, id }),
  /** Who has changed what about one, the latest first. */
  history: (by: By, id: number) => scheduling.get(routes.listAppointmentHistory, { by, id }),
  /** Free times in order. @throws AppError `too_much_asked` for several days of a very large business */
  slots(by: By, { date, date_to, service_id, staff_id, moved_id }: SlotsAdminQuery) {
    const query = {
      date,
      service_id,
      ...(date_to !== undefined && { date_to }),
      ...(staff_id !== undefined && { staff_id }),
      ...(moved_id !== undefined && { moved_id }),
    };
    return scheduling.get(routes.listSlots, { by, query });
  },
  /** @throws AppError `slot_unavailable` with alternatives */
  book: (by: By, body: CreateAppointment, idempotencyKey: string | undefined) =>
    scheduling.change(routes.createAppointment, { by, body, idempotencyKey }),
  /** @throws AppError `slot_unavailable` with alternatives */
  change: (by: By, id: number, body: UpdateAppointmentAdmin, ifMatch: string | undefined) =>
    scheduling.change(routes.updateAppointment, { by, id, body, ifMatch }),
});
