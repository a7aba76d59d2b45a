import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { Place } from '../domain/booking-plan.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';

interface CandidateArgs {
  resourceIds: number[];
  onShift: boolean[];
  occupiedFrom: Date;
  occupiedUntil: Date;
  dayStart: Date;
  dayEnd: Date;
  exceptAppointmentId: number | null;
}

// What starts on a day also occupies part of it. Saying so leads the index to that day alone, not to all days of a resource.
const findPreferred = tenantSql<{ resource_id: number }, CandidateArgs>(
  'booking_preferred',
  `select candidate.resource_id
   from unnest($resourceIds::bigint[], $onShift::boolean[]) as candidate(resource_id, is_on_shift)
   cross join lateral (
     select bool_or(booked.occupied && tstzrange($occupiedFrom, $occupiedUntil)) as is_taken,
       count(*) filter (where booked.starts_at >= $dayStart and booked.starts_at < $dayEnd) as appointments_that_day
     from appointments booked
     where booked.tenant_id = $1 and booked.resource_id = candidate.resource_id and booked.${HOLDS_SLOT}
       and booked.occupied && tstzrange(least($occupiedFrom, $dayStart), greatest($occupiedUntil, $dayEnd))
       and ($exceptAppointmentId::bigint is null or booked.id <> $exceptAppointmentId)
   ) day
   where day.is_taken is not true
   order by candidate.is_on_shift desc, day.appointments_that_day, candidate.resource_id
   limit 1`,
);

/** Of those who are free, who is on shift first, then who has the fewest appointments that day; null when nobody is free. */
export async function findPreferredResource(
  db: TenantReads,
  { candidates, occupied, day }: Place,
  exceptAppointmentId: number | null,
): Promise<number | null> {
  const preferred = await db.maybeOne(findPreferred, {
    resourceIds: candidates.map(({ resourceId }) => resourceId),
    onShift: candidates.map(({ isOnShift }) => isOnShift),
    occupiedFrom: new Date(occupied.start),
    occupiedUntil: new Date(occupied.end),
    dayStart: new Date(day.start),
    dayEnd: new Date(day.end),
    exceptAppointmentId,
  });
  return preferred?.resource_id ?? null;
}
