import type { Place } from '../domain/booking-plan.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';

/** What `PREFERRED_SQL` takes. */
export interface PlaceArgs {
  resourceIds: number[];
  onShift: boolean[];
  occupiedFrom: Date;
  occupiedUntil: Date;
  dayStart: Date;
  dayEnd: Date;
  exceptAppointmentId: number | null;
}

export function placeArgs(place: Place, exceptAppointmentId: number | null): PlaceArgs {
  return {
    resourceIds: place.candidates.map(({ resourceId }) => resourceId),
    onShift: place.candidates.map(({ isOnShift }) => isOnShift),
    occupiedFrom: new Date(place.occupied.start),
    occupiedUntil: new Date(place.occupied.end),
    dayStart: new Date(place.day.start),
    dayEnd: new Date(place.day.end),
    exceptAppointmentId,
  };
}

/**
 * The free candidate to prefer: on shift first, then with the fewest appointments that day, the one that moves aside. What starts
 * on a day occupies some of it, too: said so, none of the indexes leads through a resource's other days.
 */
export const PREFERRED_SQL = `
  select candidate.resource_id
  from unnest($resourceIds::bigint[], $onShift::boolean[]) as candidate(resource_id, is_on_shift)
  where not exists (
    select from appointments taken
    where taken.tenant_id = $1 and taken.resource_id = candidate.resource_id
      and taken.occupied && tstzrange($occupiedFrom, $occupiedUntil) and taken.${HOLDS_SLOT}
      and ($exceptAppointmentId::bigint is null or taken.id <> $exceptAppointmentId)
  )
  order by candidate.is_on_shift desc, (
    select count(*) from appointments booked
    where booked.tenant_id = $1 and booked.resource_id = candidate.resource_id
      and booked.starts_at >= $dayStart and booked.starts_at < $dayEnd
      and booked.occupied && tstzrange($dayStart, $dayEnd) and booked.${HOLDS_SLOT}
      and ($exceptAppointmentId::bigint is null or booked.id <> $exceptAppointmentId)
  ), candidate.resource_id
  limit 1`;
