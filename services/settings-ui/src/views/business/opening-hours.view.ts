import { html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { calendarCards } from './calendar.view.ts';
import type { CalendarCards } from './calendar-cards.ts';
import { businessPage, OPENING_HOURS, STAFF } from './frame.view.ts';

interface OpeningHoursPage {
  cards: Omit<CalendarCards, 'base' | 'name' | 'note'>;
  hasStaff: boolean;
  refusal?: string | undefined;
}

export const openingHoursPage = (
  context: PageContext,
  { cards, hasStaff, refusal }: OpeningHoursPage,
): string =>
  businessPage(context, {
    title: 'Opening hours',
    part: OPENING_HOURS,
    lead: 'When the business is open, and when it is closed for everyone.',
    refusal,
    body: calendarCards(context, {
      ...cards,
      base: OPENING_HOURS,
      name: null,
      note:
        hasStaff &&
        html`<p>You have staff, and each of them is booked in <a href="${STAFF}">hours of their own</a>. These count only while there is nobody; the dates and closing days below count for everybody.</p>`,
    }),
  });
