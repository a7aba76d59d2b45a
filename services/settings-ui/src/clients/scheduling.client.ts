import {
  bookabilitySchema,
  bookingSettings,
  type CreateService,
  type CreateStaff,
  calendarConflicts,
  calendarSchema,
  type DatedHours,
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
import type { ServiceClient } from '@frontdesk/service';
import type { z } from 'zod';

export type SchedulingClient = ReturnType<typeof createSchedulingClient>;

/** Whose calendar: a staff member's, by id; null: the business's own. */
export type CalendarOwner = number | null;

/** The ETag of what the admin saw; without it a change goes by whatever is there. */
type Seen = string | undefined;

interface Options {
  readTimeoutMs: number;
}

/** Scheduling's internal API as the admins of one tenant use it; each call names that tenant. */
export function createSchedulingClient(scheduling: ServiceClient, options: Options) {
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;
  const settings = (tenantId: number) => ({
    tenantId,
    path: `${tenantPath(tenantId)}/booking-settings`,
    schema: bookingSettings,
  });

  return {
    settings: (tenantId: number) => scheduling.requestVersioned({ ...read, ...settings(tenantId) }),
    changeSettings: (tenantId: number, body: UpdateBookingSettings, ifMatch: Seen) =>
      scheduling.request({ method: 'PATCH', ...settings(tenantId), body, ifMatch }),
    /** The weekly hours of all staff. */
    staffHours: (tenantId: number) =>
      scheduling.request({
        ...read,
        tenantId,
        path: `${tenantPath(tenantId)}/staff-hours`,
        schema: staffHoursSchema.array(),
      }),
    /** Whether services and staff can be booked, and if not, why. */
    bookability: (tenantId: number) =>
      scheduling.request({
        ...read,
        tenantId,
        path: `${tenantPath(tenantId)}/bookability`,
        schema: bookabilitySchema,
      }),
    services: recordsOf<typeof serviceAdminSchema, CreateService, UpdateService>(scheduling, {
      ...options,
      list: 'services',
      schema: serviceAdminSchema,
    }),
    staff: recordsOf<typeof staffAdminSchema, CreateStaff, UpdateStaff>(scheduling, {
      ...options,
      list: 'staff',
      schema: staffAdminSchema,
    }),
    calendars: calendars(scheduling, options),
  };
}

const tenantPath = (tenantId: number) => `/internal/tenants/${tenantId}`;

/** Services and staff are kept in the same way. */
function recordsOf<Schema extends z.ZodType, Created extends object, Updated extends object>(
  scheduling: ServiceClient,
  options: Options & { list: string; schema: Schema },
) {
  const { schema } = options;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;
  const all = (tenantId: number) => ({ tenantId, path: `${tenantPath(tenantId)}/${options.list}` });
  const one = (tenantId: number, id: number) => ({
    tenantId,
    path: `${tenantPath(tenantId)}/${options.list}/${id}`,
    schema,
  });

  return {
    list: (tenantId: number) =>
      scheduling.request({ ...read, ...all(tenantId), schema: schema.array() }) as Promise<
        z.output<Schema>[]
      >,
    find: (tenantId: number, id: number) => scheduling.requestVersioned({ ...read, ...one(tenantId, id) }),
    add: (tenantId: number, body: Created) =>
      scheduling.request({ method: 'POST', ...all(tenantId), body, schema }),
    change: (tenantId: number, id: number, body: Updated, ifMatch: Seen) =>
      scheduling.request({ method: 'PATCH', ...one(tenantId, id), body, ifMatch }),
    remove: (tenantId: number, id: number, ifMatch: Seen) =>
      scheduling.request({ method: 'DELETE', ...one(tenantId, id), ifMatch }),
  };
}

function calendars(scheduling: ServiceClient, { readTimeoutMs }: Options) {
  const of = (tenantId: number, owner: CalendarOwner, part = '') => ({
    tenantId,
    path: `${tenantPath(tenantId)}${owner === null ? '' : `/staff/${owner}`}/calendar${part}`,
    schema: calendarSchema,
  });

  return {
    find: (tenantId: number, owner: CalendarOwner) =>
      scheduling.requestVersioned({ method: 'GET', timeoutMs: readTimeoutMs, ...of(tenantId, owner) }),
    /** Coming appointments that the calendar, as it is now, wouldn't offer; null: of everybody. */
    conflicts: (tenantId: number, owner: CalendarOwner) =>
      scheduling.request({
        ...{ method: 'GET', timeoutMs: readTimeoutMs, ...of(tenantId, owner, '/conflicts') },
        schema: calendarConflicts,
      }),
    replaceHours: (tenantId: number, owner: CalendarOwner, hours: WeeklyHours, ifMatch: Seen) =>
      scheduling.request({ method: 'PUT', ...of(tenantId, owner, '/hours'), body: { hours }, ifMatch }),
    putException: (tenantId: number, owner: CalendarOwner, { date, ...body }: DatedHours, ifMatch: Seen) =>
      scheduling.request({ method: 'PUT', ...of(tenantId, owner, `/exceptions/${date}`), body, ifMatch }),
    removeException: (tenantId: number, owner: CalendarOwner, date: string, ifMatch: Seen) =>
      scheduling.request({ method: 'DELETE', ...of(tenantId, owner, `/exceptions/${date}`), ifMatch }),
    addTimeOff: (tenantId: number, owner: CalendarOwner, body: TimeOff, ifMatch: Seen) =>
      scheduling.request({
        method: 'POST',
        ...of(tenantId, owner, '/time-off'),
        body,
        ifMatch,
        schema: timeOffSchema,
      }),
    removeTimeOff: (tenantId: number, owner: CalendarOwner, id: number, ifMatch: Seen) =>
      scheduling.request({ method: 'DELETE', ...of(tenantId, owner, `/time-off/${id}`), ifMatch }),
  };
}
