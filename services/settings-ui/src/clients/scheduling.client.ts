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
import type { By } from '../session/session.rules.ts';
import type { TenantApi } from './tenant-api.client.ts';

export type SchedulingClient = ReturnType<typeof createSchedulingClient>;

/** Whose calendar: a staff member's, by id; null: the business's own. */
export type CalendarOwner = number | null;

/** The ETag of what the admin saw. */
type Seen = string | undefined;

export const createSchedulingClient = (scheduling: TenantApi) => ({
  settings: (by: By) => scheduling.getVersioned(routes.getBookingSettings, { by }),
  changeSettings: (by: By, body: UpdateBookingSettings, ifMatch: Seen) =>
    scheduling.change(routes.updateBookingSettings, { by, body, ifMatch }),
  /** The booking policy, and whether the business has chosen it. */
  policy: (by: By) => scheduling.get(routes.getBookingPolicy, { by }),
  /** The weekly hours of all staff. */
  staffHours: (by: By) => scheduling.get(routes.listStaffHours, { by }),
  /** Whether services and staff can be booked, and if not, why. */
  bookability: (by: By) => scheduling.get(routes.getBookability, { by }),
  /** How many times of the business are held, and how many can be. */
  openHolds: (by: By) => scheduling.get(routes.getOpenHolds, { by }),
  quotaUsage: (by: By) => scheduling.get(routes.getQuotaUsage, { by }),
  services: {
    list: (by: By) => scheduling.get(routes.listServices, { by }),
    find: (by: By, id: number) => scheduling.getVersioned(routes.getService, { by, id }),
    add: (by: By, body: CreateService) => scheduling.change(routes.createService, { by, body }),
    change: (by: By, id: number, body: UpdateService, ifMatch: Seen) =>
      scheduling.change(routes.updateService, { by, id, body, ifMatch }),
    remove: (by: By, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteService, { by, id, ifMatch }),
  },
  staff: {
    list: (by: By) => scheduling.get(routes.listStaff, { by }),
    find: (by: By, id: number) => scheduling.getVersioned(routes.getStaffMember, { by, id }),
    add: (by: By, body: CreateStaff) => scheduling.change(routes.createStaffMember, { by, body }),
    change: (by: By, id: number, body: UpdateStaff, ifMatch: Seen) =>
      scheduling.change(routes.updateStaffMember, { by, id, body, ifMatch }),
    remove: (by: By, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteStaffMember, { by, id, ifMatch }),
    picture: (by: By, id: number) => scheduling.get(routes.getStaffPicture, { by, id }),
    setPicture: (by: By, id: number, body: StaffPicture, ifMatch: Seen) =>
      scheduling.change(routes.setStaffPicture, { by, id, body, ifMatch }),
    removePicture: (by: By, id: number, ifMatch: Seen) =>
      scheduling.change(routes.deleteStaffPicture, { by, id, ifMatch }),
  },
  calendars: calendars(scheduling),
});

const routesOf = (owner: CalendarOwner) => (owner === null ? businessCalendarRoutes : staffCalendarRoutes);
/** The paths of the business's own calendar have no place for an id. */
const at = (by: By, owner: CalendarOwner) => ({ by, id: owner ?? '' });

const calendars = (scheduling: TenantApi) => ({
  find: (by: By, owner: CalendarOwner) => scheduling.getVersioned(routesOf(owner).getCalendar, at(by, owner)),
  /** Coming appointments that the calendar, as it is now, wouldn't offer; null: of everybody. */
  conflicts: (by: By, owner: CalendarOwner) => scheduling.get(routesOf(owner).listConflicts, at(by, owner)),
  replaceHours: (by: By, owner: CalendarOwner, hours: WeeklyHours, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).replaceHours, { ...at(by, owner), body: { hours }, ifMatch }),
  putException: (by: By, owner: CalendarOwner, { date, ...body }: DatedHours, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).putException, { ...at(by, owner), date, body, ifMatch }),
  removeException: (by: By, owner: CalendarOwner, date: string, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).deleteException, { ...at(by, owner), date, ifMatch }),
  /** With the key of an earlier one it is the same one. */
  addTimeOff: (
    by: By,
    owner: CalendarOwner,
    body: TimeOff,
    sent: { ifMatch: Seen; idempotencyKey: string | undefined },
  ) => scheduling.change(routesOf(owner).createTimeOff, { ...at(by, owner), body, ...sent }),
  removeTimeOff: (by: By, owner: CalendarOwner, id: number, ifMatch: Seen) =>
    scheduling.change(routesOf(owner).deleteTimeOff, { ...at(by, owner), time_off_id: id, ifMatch }),
});
