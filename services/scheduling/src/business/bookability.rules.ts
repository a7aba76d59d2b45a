import type {
  Bookability,
  BookingSettingsRecord,
  ServiceBookability,
  StaffBookability,
} from '@frontdesk/contracts';
import { DAY_MINUTES } from '@frontdesk/local-time';
import type { ServiceRow } from '../services/service.rules.ts';
import type { PerformerRow } from '../staff/staff.rules.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';

type ServiceSetup = Pick<ServiceRow, 'id' | 'name' | 'is_active' | 'duration_minutes'>;
type StaffSetup = Omit<PerformerRow, 'specialties' | 'color' | 'version'>;

/** What decides whether anything can be booked. */
export interface Setup {
  settings: BookingSettingsRecord;
  services: readonly ServiceSetup[];
  staff: readonly StaffSetup[];
  /** The longest that the business and the active staff work without a break, from today on. */
  longestMinutes: ReadonlyMap<number, number>;
}

/** Somebody who can be booked, with the longest that they work without a break. */
interface Worker {
  longestMinutes: number;
  followsBusinessHours: boolean;
}

/**
 * Whether the services and the staff of a business can be booked, and if not, why. The only place that decides it: pages show
 * what it says. Setup alone counts; who is away or taken on some day doesn't.
 */
export function bookabilityOf({ settings, services, staff, longestMinutes }: Setup): Bookability {
  const isNeverOffered = noticeIsBeyondHorizon(settings);
  const workerOf = (id: number, followsBusinessHours: boolean): Worker => ({
    longestMinutes: longestMinutes.get(id) ?? 0,
    followsBusinessHours,
  });
  const business = workerOf(BUSINESS, true);
  const workers = new Map(
    staff.map((member) => [member.id, workerOf(member.id, member.follows_business_hours)]),
  );
  const activeStaff = staff.filter((member) => member.is_active);
  const listActiveServices = services.filter((service) => service.is_active);

  const ofServices = services.map((service): ServiceBookability => {
    const performs = ({ service_ids }: StaffSetup) => service_ids.includes(service.id);
    const performers = activeStaff.filter(performs);
    const able = staff.length === 0 ? [business] : performers.map(({ id }) => workers.get(id) as Worker);
    const obstacle =
      serviceObstacle(service, able, staff.some(performs)) ??
      (isNeverOffered ? 'notice_beyond_horizon' : null);
    return { id: service.id, name: service.name, obstacle, staff_ids: performers.map(({ id }) => id) };
  });
  const ofStaff = staff.map((member): StaffBookability => {
    const { id, name } = member;
    const performed = listActiveServices.filter((service) => member.service_ids.includes(service.id));
    const obstacle =
      staffObstacle(member, workers.get(id) as Worker, performed) ??
      (isNeverOffered ? 'notice_beyond_horizon' : null);
    return { id, name, obstacle };
  });
  return {
    obstacle: wholeObstacle(ofServices, listActiveServices.length),
    services: ofServices,
    staff: ofStaff,
  };
}

function wholeObstacle(
  services: readonly ServiceBookability[],
  activeCount: number,
): Bookability['obstacle'] {
  if (services.length === 0) return 'no_services';
  if (activeCount === 0) return 'all_inactive';
  return services.every(({ obstacle }) => obstacle !== null) ? 'none_bookable' : null;
}

/** `able`: the workers who perform it. The obstacle is that of the one with the longest hours. */
function serviceObstacle(
  { is_active, duration_minutes }: ServiceSetup,
  able: readonly Worker[],
  isPerformed: boolean,
): ServiceBookability['obstacle'] {
  if (!is_active) return 'inactive';
  if (able.length === 0) return isPerformed ? 'performers_inactive' : 'nobody_performs';
  const longest = Math.max(...able.map(({ longestMinutes }) => longestMinutes));
  if (longest >= duration_minutes) return null;
  if (longest > 0) return 'too_long';
  return able.some(({ followsBusinessHours }) => followsBusinessHours) ? 'no_opening_hours' : 'no_hours';
}

function staffObstacle(
  { is_active }: StaffSetup,
  { longestMinutes, followsBusinessHours }: Worker,
  performed: readonly ServiceSetup[],
): StaffBookability['obstacle'] {
  if (!is_active) return 'inactive';
  if (longestMinutes === 0) return followsBusinessHours ? 'no_opening_hours' : 'no_hours';
  if (performed.length === 0) return 'no_services';
  const isEachTooLong = performed.every(({ duration_minutes }) => duration_minutes > longestMinutes);
  return isEachTooLong ? 'hours_too_short' : null;
}

const noticeIsBeyondHorizon = ({ minimum_notice_minutes, horizon_days }: BookingSettingsRecord) =>
  horizon_days !== null && minimum_notice_minutes >= horizon_days * DAY_MINUTES;
