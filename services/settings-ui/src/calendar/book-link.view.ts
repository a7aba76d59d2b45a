import type { Day, DayColumn } from '@frontdesk/contracts';
import { hasAhead } from '../booking/booking-grid.rules.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import { type Html, html } from '../ui/html.ts';

interface BookLink {
  canBook: boolean;
  now: number;
  /** Read out with it. */
  whom: string;
}

/** A plus, while somebody can still be booked on the day. */
export const bookLink = (day: Day, column: DayColumn, { canBook, now, whom }: BookLink): Html | false =>
  canBook &&
  hasAhead(day, column, now) &&
  html`<a class="book" title="Book" href="${bookingAddress({
    date: day.date,
    staff_id: column.staff_id ?? undefined,
  })}"><span aria-hidden="true">+</span><span class="for-reader">Book ${whom}</span></a>`;
