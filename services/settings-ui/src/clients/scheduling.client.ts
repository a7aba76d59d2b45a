import {
  businessCalendarRoutes,
  type CreateService,
  type CreateStaff,
  type DatedHours,
  schedulingRoutes as routes,
  type StaffPicture,
  staffCalendarRoutes,
  type TimeOff,
  type UpdateBookingSettings,
  type UpdateService,
  type UpdateStaff,
  type WeeklyHours,
} from '@frontdesk/contracts';
import type { TenantApi } from './tenant-api.client.ts';

export type SchedulingClient = ReturnType<typeof createSchedulingClient>;

/** Whose calendar: a staff member's, by id; null: the business's own. */
export type CalendarOwner = number | null;

/** The ETag of what the admin saw. */
type Seen = string | undefined;

export const createSchedulingClient = (scheduling: TenantApi) => ({
  settings: (tenantId: number) => scheduling.getVersioned(routes.getBookingSettings, { tenantId }),
  changeSettings: (tenantId: number, body: UpdateBookingSettings, ifMatch: Seen) =>
    scheduling.change(routes.updateBookingSettings, { tenantId, body, ifMatch }),
  /** The booking policy, and whether the business has chosen it. */
  policy: (tenantId: number) => scheduling.get(routes.getBookingPolicy, { tenantId }),
  /** The weekly hours of all staff. */
  staffHours: (tenantId: number) => scheduling.get(routes.listStaffHours, { tenantId }),
  /** Whether services and staff can be booked, and if not, why. */
  bookability: (tenantId: number) => scheduling.get(routes.getBookability, { tenantId }),
  quotaUsage: (tenantId: number) => scheduling.get(routes.getQuotaUsage, { tenantId }),
  services: {
    list: (tenantId: number) => scheduling.get(routes.listServices, { tenantId }),
    find: (tenantId: number, id: number) => scheduling.getVersioned(routes.getService, { tenantId, id }),
    add: (tenantId: number, body: CreateService) =>
      scheduling.change(routes.createService, { tenantId, body }),
    change: (tenantId: number, id: number, body: UpdateService, ifMatch: Seen) =>
      scheduling.change(routes.updateService, { tenantId, id, body, ifMatch }),
    remove: (tenantId: number, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteService, { tenantId, id, ifMatch }),
  },
  staff: {
    list: (tenantId: number) => scheduling.get(routes.listStaff, { tenantId }),
    find: (tenantId: number, id: number) => scheduling.getVersioned(routes.getStaffMember, { tenantId, id }),
    add: (tenantId: number, body: CreateStaff) =>
      scheduling.change(routes.createStaffMember, { tenantId, body }),
    change: (tenantId: number, id: number, body: UpdateStaff, ifMatch: Seen) =>
      scheduling.change(routes.updateStaffMember, { tenantId, id, body, ifMatch }),
    remove: (tenantId: number, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteStaffMember, { tenantId, id, ifMatch }),
    picture: (tenantId: number, id: number) => scheduling.get(routes.getStaffPicture, { tenantId, id }),
    setPicture: (tenantId: number, id: number, body: StaffPicture, ifMatch: Seen) =>
      scheduling.change(routes.setStaffPicture, { tenantId, id, body, ifMatch }),
    removePicture: (tenantId: number, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteStaffPicture, { tenantId, id, ifMatch }),
  },
  calendars: calendars(scheduling),
});

const routesOf = (owner: CalendarOwner) => (owner === null ? businessCalendarRoutes : staffCalendarRoutes);
/** The paths of the business's own calendar have no place for an id. */
const at = (tenantId: number, owner: CalendarOwner) => ({ tenantId, id: owner ?? '' });

const calendars = (scheduling: TenantApi) => ({
  find: (tenantId: number, owner: CalendarOwner) =>
    scheduling.getVersioned(routesOf(owner).getCalendar, at(tenantId, owner)),
  /** Coming appointments that the calendar, as it is now, wouldn't offer; null: of everybody. */
  conflicts: (tenantId: number, owner: CalendarOwner) =>
    scheduling.get(routesOf(owner).listConflicts, at(tenantId, owner)),
  replaceHours: (tenantId: number, owner: CalendarOwner, hours: WeeklyHours, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).replaceHours, { ...at(tenantId, owner), body: { hours }, ifMatch }),
  putException: (tenantId: number, owner: CalendarOwner, { date, ...body }: DatedHours, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).putException, { ...at(tenantId, owner), date, body, ifMatch }),
  removeException: (tenantId: number, owner: CalendarOwner, date: string, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).deleteException, { ...at(tenantId, owner), date, ifMatch }),
  /** With the key of an earlier one it is the same one. */
  addTimeOff: (
    tenantId: number,
    owner: CalendarOwner,
    body: TimeOff,
    sent: { ifMatch: Seen; idempotencyKey: string | undefined },
  ) => scheduling.change(routesOf(owner).createTimeOff, { ...at(tenantId, owner), body, ...sent }),
  removeTimeOff: (tenantId: number, owner: CalendarOwner, id: number, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).deleteTimeOff, { ...at(tenantId, owner), time_off_id: id, ifMatch }),
});
