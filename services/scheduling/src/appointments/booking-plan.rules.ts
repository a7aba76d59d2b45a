import type { FieldFaults } from '@frontdesk/contracts';
import { instantOfWallTime, MINUTE_MS } from '@frontdesk/local-time';
import { occupiedBy } from '../availability/buffers.rules.ts';
import {
  type Candidate,
  type Catalogue,
  candidatesAt,
  type Offer,
  offerOf,
} from '../availability/offer.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import type { Wish } from './appointment.rules.ts';

/** Who may take a visit and what of their time it occupies. */
export interface Place {
  candidates: Candidate[];
  occupied: Interval;
  /** The local day of the visit: among equals, the one with the fewest appointments that day is preferred. */
  day: Interval;
}

/** A wish that the rules allow, whether or not its time is taken. */
export interface BookingPlan extends Place {
  offer: Offer;
  date: string;
  timezone: string;
  startsAt: number;
  endsAt: number;
}

/** The plan for a wish, or everything that is wrong with the wish. */
export interface Planned {
  plan: BookingPlan | null;
  errors: FieldFaults;
  /** Where nothing else is wrong than that the time is not offered: what to look for other times by. */
  notOffered?: { offer: Offer; startsAt: number; timezone: string };
}

export function planFor(
  catalogue: Catalogue | null,
  wish: Wish,
  at: { timezone: string; now: number },
): Planned {
  const { timezone, now } = at;
  const { offer, errors } = offerOf(catalogue, wish.staffId);
  const startsAt = wish.startsAt ?? instantOfWallTime(wish.date, wish.time, timezone);
  if (startsAt === null)
    errors.appointment_time = [
      {
        text: `The appointment_time field does not exist on this date in ${timezone}.`,
        reason: 'time_skipped',
      },
    ];
  if (offer === null || startsAt === null) return { plan: null, errors };

  // The policy is about times to come: who did what in the past can be put right.
  const isPast = wish.startsAt !== undefined && wish.startsAt < now;
  const { booking_policy } = offer.settings;
  const policy = wish.enforcesSlots ? 'slots_only' : isPast ? 'open' : booking_policy;
  const candidates = candidatesAt(offer, { date: wish.date, startsAt, timezone, now, policy });
  if (candidates.length === 0 && policy === 'slots_only')
    return {
      plan: null,
      errors: {
        appointment_time: [
          {
            text: 'The appointment_time field must be one of the offered slots.',
            reason: 'time_not_offered',
          },
        ],
      },
      notOffered: { offer, startsAt, timezone },
    };

  const plan: BookingPlan = {
    offer,
    candidates,
    date: wish.date,
    timezone,
    startsAt,
    endsAt: startsAt + offer.service.durationMinutes * MINUTE_MS,
    occupied: occupiedBy(offer.service, startsAt),
    day: dayOf(wish.date, timezone),
  };
  return { plan, errors };
}
