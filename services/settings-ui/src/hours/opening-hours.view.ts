import type { StaffAdmin } from '@frontdesk/contracts';
import { businessPage, OPENING_HOURS, STAFF } from '../records/record-form.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { calendarCards } from './calendar.view.ts';
import type { CalendarCards } from './calendar-cards.ts';

interface OpeningHoursPage {
  cards: Omit<CalendarCards, 'base' | 'name' | 'note' | 'followed' | 'isUnused'>;
  /** The active staff; null where scheduling can't say in time. */
  staff: StaffAdmin[] | null;
  refusal?: string | undefined;
}

export const openingHoursPage = (context: PageContext, { cards, staff, refusal }: OpeningHoursPage): string =>
  businessPage(context, {
    title: 'Opening hours',
    part: OPENING_HOURS,
    lead: 'When the business is open, and when it is closed for everyone.',
    refusal,
    body: calendarCards(context, {
      ...cards,
      base: OPENING_HOURS,
      name: null,
      note: staff !== null && staff.length > 0 && whoWorksThem(staff),
      isUnused: staff?.length !== 0 && !staff?.some(({ follows_business_hours }) => follows_business_hours),
    }),
  });

/** Names of staff that are listed. */
const SHOWN = 3;

function whoWorksThem(staff: StaffAdmin[]): Html {
  const followers = staff.filter(({ follows_business_hours }) => follows_business_hours);
  const own = html`<a href="${STAFF}">hours of their own</a>`;
  const forAll = 'The special hours and closing days below apply to everyone.';
  if (followers.length === 0)
    return html`<p>Nobody works these hours: all your staff have ${own}. ${forAll}</p>`;
  if (followers.length === staff.length) return html`<p>All your staff work these hours. ${forAll}</p>`;
  const names = followers.slice(0, SHOWN).map(({ name }) => name);
  const more = followers.length - names.length;
  return html`<p>These hours apply to ${names.join(', ')}${
    more > 0 && ` and ${more} more`
  }; the others have ${own}. ${forAll}</p>`;
}
