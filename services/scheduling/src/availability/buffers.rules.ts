import { MINUTE_MS } from '@frontdesk/local-time';
import type { Interval } from '../working-hours/interval.rules.ts';

/** How long a visit takes, and how long before and after it its resource stays occupied. */
export interface Visit {
  durationMinutes: number;
  bufferBeforeMinutes: number;
  bufferAfterMinutes: number;
}

/** A visit as rows of services and appointments have it. */
export interface VisitRow {
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
}

export const visitOf = (row: VisitRow): Visit => ({
  durationMinutes: row.duration_minutes,
  bufferBeforeMinutes: row.buffer_before_minutes,
  bufferAfterMinutes: row.buffer_after_minutes,
});

/** What an appointment that starts then keeps occupied, buffers included. */
export function occupiedBy(visit: Visit, startsAt: number): Interval {
  return {
    start: startsAt - visit.bufferBeforeMinutes * MINUTE_MS,
    end: startsAt + (visit.durationMinutes + visit.bufferAfterMinutes) * MINUTE_MS,
  };
}

/** What an appointment copies from its service when it is booked. */
export interface ServiceTerms extends Visit {
  id: number;
  priceMinor: number;
  currency: string;
}

/** A service and its terms. */
export interface TermsRow extends VisitRow {
  service_id: number;
  price_minor: number;
  currency: string;
}

/** A service's terms now, or those an appointment was booked on: a move to another time or another staff member keeps them. */
export const termsOf = (row: TermsRow): ServiceTerms => ({
  id: row.service_id,
  ...visitOf(row),
  priceMinor: row.price_minor,
  currency: row.currency,
});
