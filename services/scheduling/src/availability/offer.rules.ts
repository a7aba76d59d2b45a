import type { BookingPolicy, BookingSettingsRecord, FieldFaults } from '@frontdesk/contracts';
import { DAY_MS, MINUTE_MS } from '@frontdesk/local-time';
import { BUSINESS, type Calendar, NO_HOURS } from '../working-hours/calendar.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { freeStarts, onShift, type Resource } from './availability.rules.ts';
import type { ServiceTerms } from './buffers.rules.ts';

/** A service as it may be booked: null where it is unknown or inactive, with the staff of the business beside it. */
export interface Catalogue {
  settings: BookingSettingsRecord;
  service: ServiceTerms | null;
  /** Whether anybody works here at all, on leave or not. */
  hasStaff: boolean;
  /** All active staff. */
  staff: { id: number; performs: boolean }[];
  /** The hours of those who perform the service, and of the business itself. */
  calendars: ReadonlyMap<number, Calendar>;
}

/** A known service, with those of its resources that the question is about. */
export interface Offer {
  settings: BookingSettingsRecord;
  service: ServiceTerms;
  resources: { id: number; calendar: Calendar }[];
}

/** Who may be asked for: the one named; else all who perform the service; the business itself where it has no staff. */
function resourceIds({ hasStaff, staff }: Catalogue, staffId: number | null): number[] {
  if (staffId !== null) return [staffId];
  if (!hasStaff) return [BUSINESS];
  return staff.filter(({ performs }) => performs).map(({ id }) => id);
}

/** The offer, or what is wrong with asking for it. */
export function offerOf(
  catalogue: Catalogue | null,
  staffId: number | null,
): { offer: Offer | null; errors: FieldFaults } {
  const service = catalogue?.service ?? null;
  const member = catalogue?.staff.find(({ id }) => id === staffId);
  const errors: FieldFaults = {};
  if (service === null)
    errors.service_id = [{ text: 'The selected service_id is invalid.', reason: 'service_gone' }];
  if (staffId !== null && member === undefined)
    errors.staff_id = [{ text: 'The selected staff_id is invalid.', reason: 'staff_gone' }];
  else if (staffId !== null && service !== null && !member?.performs)
    errors.staff_id = [
      { text: 'The selected staff_id does not perform this service.', reason: 'staff_lacks_service' },
    ];
  if (catalogue === null || service === null || Object.keys(errors).length > 0)
    return { offer: null, errors };

  const resources = resourceIds(catalogue, staffId).map((id) => ({
    id,
    calendar: catalogue.calendars.get(id) ?? NO_HOURS,
  }));
  return { offer: { settings: catalogue.settings, service, resources }, errors };
}

/** The instants that may be offered now: from the minimum notice to the horizon. */
export function offeredInstants(
  settings: BookingSettingsRecord,
  now: number,
): { earliest: number; latest: number } {
  return {
    earliest: now + settings.minimum_notice_minutes * MINUTE_MS,
    latest: settings.horizon_days === null ? Number.POSITIVE_INFINITY : now + settings.horizon_days * DAY_MS,
  };
}

/** The offer's resources as the availability function takes them, with what keeps each of them busy. */
export function resourcesOf(offer: Offer, busy: ReadonlyMap<number, readonly Interval[]>): Resource[] {
  return offer.resources.map(({ id, calendar }) => ({
    id,
    visit: offer.service,
    calendar,
    busy: busy.get(id) ?? [],
  }));
}

export interface Candidate {
  resourceId: number;
  isOnShift: boolean;
}

/** Who may take a visit at this instant, clashes aside. Under `slots_only` none where it would not be offered. */
export function candidatesAt(
  offer: Offer,
  at: { date: string; startsAt: number; timezone: string; now: number; policy: BookingPolicy },
): Candidate[] {
  const resources = resourcesOf(offer, new Map());
  if (at.policy === 'open') {
    const present = new Set(onShift(resources, at.startsAt, at.timezone));
    return resources.map(({ id }) => ({ resourceId: id, isOnShift: present.has(id) }));
  }
  const { earliest, latest } = offeredInstants(offer.settings, at.now);
  const offered = freeStarts({
    timezone: at.timezone,
    from: at.date,
    to: at.date,
    stepMinutes: offer.settings.slot_step_minutes,
    earliest: Math.max(earliest, at.startsAt),
    latest: Math.min(latest, at.startsAt),
    resources,
  }).find((start) => start !== null);
  return (offered?.resourceIds ?? []).map((resourceId) => ({ resourceId, isOnShift: true }));
}
