import type { Place } from '../domain/plan.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';

export type PlaceArgs = [
  resourceIds: number[],
  onShift: boolean[],
  occupiedFrom: Date,
  occupiedUntil: Date,
  dayStart: Date,
  dayEnd: Date,
  exceptAppointmentId: number | null,
];

/** `PREFERRED_SQL`'s `$2` to `$8`. */
export function placeArgs(place: Place, exceptAppointmentId: number | null): PlaceArgs {
  return [
    place.candidates.map(({ resourceId }) => resourceId),
    place.candidates.map(({ isOnShift }) => isOnShift),
    new Date(place.occupied.start),
    new Date(place.occupied.end),
    new Date(place.day.start),
    new Date(place.day.end),
    exceptAppointmentId,
  ];
}

/**
 * The free candidate to prefer: on shift first, then with the fewest appointments that day, the one that moves aside. What starts
 * on a day occupies some of it, too: said so, none of the indexes leads through a resource's other days.
 */
export const PREFERRED_SQL = `
  select candidate.resource_id
  from unnest($2::bigint[], $3::boolean[]) as candidate(resource_id, is_on_shift)
  where not exists (
    select from appointments taken
    where taken.tenant_id = $1 and taken.resource_id = candidate.resource_id
      and taken.occupied && tstzrange($4, $5) and taken.${HOLDS_SLOT}
      and ($8::bigint is null or taken.id <> $8)
  )
  order by candidate.is_on_shift desc, (
    select count(*) from appointments booked
    where booked.tenant_id = $1 and booked.resource_id = candidate.resource_id
      and booked.starts_at >= $6 and booked.starts_at < $7
      and booked.occupied && tstzrange($6, $7) and booked.${HOLDS_SLOT}
      and ($8::bigint is null or booked.id <> $8)
  ), candidate.resource_id
  limit 1`;
