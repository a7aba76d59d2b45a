import {
  bookabilitySchema,
  bookingSettings,
  type CreateService,
  type CreateStaff,
  calendarConflicts,
  calendarSchema,
  chosenPolicy,
  type DatedHours,
  quotaUsageSchema,
  serviceAdminSchema,
  staffAdminSchema,
  staffHoursSchema,
  type TimeOff,
  timeOffSchema,
  type UpdateBookingSettings,
  type UpdateService,
  type UpdateStaff,
  type WeeklyHours,
} from '@frontdesk/contracts';
import type { z } from 'zod';
import type { TenantApi } from './tenant-api.ts';

export type SchedulingClient = ReturnType<typeof createSchedulingClient>;

/** Whose calendar: a staff member's, by id; null: the business's own. */
export type CalendarOwner = number | null;

/** The ETag of what the admin saw. */
type Seen = string | undefined;

export const createSchedulingClient = (scheduling: TenantApi) => ({
  settings: (tenantId: number) => scheduling.getVersioned(tenantId, '/booking-settings', bookingSettings),
  changeSettings: (tenantId: number, body: UpdateBookingSettings, ifMatch: Seen) =>
    scheduling.patch(tenantId, '/booking-settings', bookingSettings, { body, ifMatch }),
  /** The booking policy, and whether the business has chosen it. */
  policy: (tenantId: number) => scheduling.get(tenantId, '/booking-policy', chosenPolicy),
  /** The weekly hours of all staff. */
  staffHours: (tenantId: number) => scheduling.get(tenantId, '/staff-hours', staffHoursSchema.array()),
  /** Whether services and staff can be booked, and if not, why. */
  bookability: (tenantId: number) => scheduling.get(tenantId, '/bookability', bookabilitySchema),
  quotaUsage: (tenantId: number) => scheduling.get(tenantId, '/quota-usage', quotaUsageSchema),
  services: recordsOf<typeof serviceAdminSchema, CreateService, UpdateService>(
    scheduling,
    '/services',
    serviceAdminSchema,
  ),
  staff: recordsOf<typeof staffAdminSchema, CreateStaff, UpdateStaff>(scheduling, '/staff', staffAdminSchema),
  calendars: calendars(scheduling),
});

/** Services and staff are kept in the same way. */
const recordsOf = <Schema extends z.ZodType, Created extends object, Updated extends object>(
  scheduling: TenantApi,
  list: string,
  schema: Schema,
) => ({
  list: (tenantId: number) => scheduling.get(tenantId, list, schema.array()) as Promise<z.output<Schema>[]>,
  find: (tenantId: number, id: number) => scheduling.getVersioned(tenantId, `${list}/${id}`, schema),
  add: (tenantId: number, body: Created) => scheduling.post(tenantId, list, schema, { body }),
  change: (tenantId: number, id: number, body: Updated, ifMatch: Seen) =>
    scheduling.patch(tenantId, `${list}/${id}`, schema, { body, ifMatch }),
  remove: (tenantId: number, id: number, ifMatch: Seen) =>
    scheduling.delete(tenantId, `${list}/${id}`, schema, { ifMatch }),
});

function calendars(scheduling: TenantApi) {
  const pathOf = (owner: CalendarOwner) => `${owner === null ? '' : `/staff/${owner}`}/calendar`;
  const exception = (owner: CalendarOwner, date: string) => `${pathOf(owner)}/exceptions/${date}`;

  return {
    find: (tenantId: number, owner: CalendarOwner) =>
      scheduling.getVersioned(tenantId, pathOf(owner), calendarSchema),
    /** Coming appointments that the calendar, as it is now, wouldn't offer; null: of everybody. */
    conflicts: (tenantId: number, owner: CalendarOwner) =>
      scheduling.get(tenantId, `${pathOf(owner)}/conflicts`, calendarConflicts),
    replaceHours: (tenantId: number, owner: CalendarOwner, hours: WeeklyHours, ifMatch: Seen) =>
      scheduling.put(tenantId, `${pathOf(owner)}/hours`, calendarSchema, { body: { hours }, ifMatch }),
    putException: (tenantId: number, owner: CalendarOwner, { date, ...body }: DatedHours, ifMatch: Seen) =>
      scheduling.put(tenantId, exception(owner, date), calendarSchema, { body, ifMatch }),
    removeException: (tenantId: number, owner: CalendarOwner, date: string, ifMatch: Seen) =>
      scheduling.delete(tenantId, exception(owner, date), calendarSchema, { ifMatch }),
    addTimeOff: (tenantId: number, owner: CalendarOwner, body: TimeOff, ifMatch: Seen) =>
      scheduling.post(tenantId, `${pathOf(owner)}/time-off`, timeOffSchema, { body, ifMatch }),
    removeTimeOff: (tenantId: number, owner: CalendarOwner, id: number, ifMatch: Seen) =>
      scheduling.delete(tenantId, `${pathOf(owner)}/time-off/${id}`, calendarSchema, { ifMatch }),
  };
}
