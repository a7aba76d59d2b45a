import { type Day, type DayColumn, MAX_SHOWN_WITHOUT_SLOT } from '@frontdesk/contracts';
import { appointmentsOn, drawnRange, holdsOf, hoursOf, isPresent } from '../booking/day-plot.rules.ts';
import { customerName } from '../records/appointment-words.view.ts';
import { type DayQuery, dateBeside, dayAddress, weekAddress } from '../records/day-query.rules.ts';
import { face, personOf } from '../records/person.view.ts';
import { OPENING_HOURS } from '../records/record-form.view.ts';
import { clockIn, dateIn, longDate, weekdayAndDay } from '../region/dates.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { badge, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { bookLink } from './book-link.view.ts';
import { calendarPage } from './calendar-page.view.ts';
import { type DayListPart, dayList, listToggle } from './day-list.view.ts';
import { hoursNotice, NAMES_AWAY, reasons } from './day-notices.view.ts';
import type { LoadedDays } from './load-days.ts';
import { columnName, hoursWords, plan, whyWords } from './plan.view.ts';
import { blockLink, timeOffLink } from './time-off.view.ts';

export interface ShownDay extends LoadedDays {
  /** The day that is shown, and the business's today. */
  date: string;
  today: string;
  showsCancelled: boolean;
  now: number;
  canBook: boolean;
}

export function dayPage(context: PageContext, page: ShownDay): string {
  const { tenant, region, date, today, showsCancelled } = page;
  const cancelled = showsCancelled ? '1' : undefined;
  const to = (beside: string | null, name: string) =>
    beside === null
      ? null
      : { href: dayAddress({ date: beside, cancelled }), name: `${name}, ${longDate(region, beside)}` };
  return calendarPage(context, {
    tenant,
    region,
    view: 'day',
    date,
    address: dayAddress({ date, cancelled }),
    title: longDate(region, date),
    shortTitle: weekdayAndDay(region, date),
    week: { cancelled, today },
    before: to(dateBeside(date, -1), 'Previous day'),
    today: { href: dayAddress({ date: undefined, cancelled }), isShown: date === today },
    after: to(dateBeside(date, 1), 'Next day'),
    fields: showsCancelled && html`<input type="hidden" name="cancelled" value="1">`,
    body: dayBody(page),
  });
}

/** All that changes by itself. */
export function dayBody(page: ShownDay): Html {
  const { tenant, days, customers, showsCancelled } = page;
  const [day] = days ?? [];
  if (day === undefined) return unavailable('This day');
  const business = tenant?.name ?? 'The business';
  const [present, absent] = presence(day, showsCancelled);
  const drawn = dayPlan(present, business, page);
  return html`${facts(day, page)}
${customers === null && NAMES_AWAY}
${drawn === null ? nothing(day) : html`${listToggle('The day as a list')}${notWorking(day)}${drawn}`}
${
  present.columns.length > 0 &&
  html`${absent.length > 0 && notThere(day, absent, { ...page, business })}
${dayList(
  present.columns.map((column) => dayListPart(day, column, columnName(column, business), page)),
  { ...page, isPrinted: true },
)}`
}`;
}

/** Names those who are off, each linked to the time off. */
function notThere(
  day: Day,
  absent: readonly DayColumn[],
  { region, canBook, business }: ShownDay & { business: string },
): Html {
  const names = absent.map((column, index) => {
    const who = columnName(column, business);
    const [timeOff] = column.time_off;
    const link = timeOff && timeOffLink(timeOff, day, column, { region, canBook, who });
    const name = link ? html`<a${link}>${who}</a>` : who;
    return html`${index > 0 && ', '}${name}${whyWords(column)}`;
  });
  return html`<p class="hint">Not working: ${names}.</p>`;
}

/** Everybody beside each other; null where there is nothing to draw. */
function dayPlan(day: Day, business: string, page: ShownDay): Html | null {
  const range = drawnRange(day, page.showsCancelled);
  if (range === null) return null;
  const columns = day.columns.map((column) => {
    const who = columnName(column, business);
    const head = columnHead(day, column, who, page);
    return { key: `s${column.staff_id ?? 0}`, label: who, who, head, day, column, range };
  });
  return plan(columns, { ...page, label: 'Plan of the day' });
}

function leadName({ date }: Day, column: DayColumn, name: string): Html | string {
  const { staff_id } = column;
  if (staff_id === null) return name;
  return html`<span class="named">${face(personOf(column))}<a href="${weekAddress({ date, staff_id })}">${name}</a></span>`;
}

const headLinks = (day: Day, column: DayColumn, who: string, { region, canBook, now }: ShownDay): Html =>
  html`<span class="head-links">${bookLink(day, column, { canBook, now, whom: who })}${blockLink(
    day,
    column,
    {
      region,
      canBook,
      now,
      who,
      whom: who,
    },
  )}${!column.is_active && badge('off', 'Not bookable')}</span>`;

const columnHead = (day: Day, column: DayColumn, who: string, page: ShownDay): Html =>
  html`<strong>${leadName(day, column, who)}</strong>${headLinks(day, column, who, page)}
<span class="hint">${hoursWords(column, page.region)}</span>`;

const dayListPart = (day: Day, column: DayColumn, who: string, page: ShownDay): DayListPart => ({
  key: `a${column.staff_id ?? 0}`,
  day,
  column,
  who,
  title: leadName(day, column, who),
  links: headLinks(day, column, who, page),
  hours: hoursWords(column, page.region),
});

/** The day of those who have something on it, and the others, who need no column. */
function presence(day: Day, showsCancelled: boolean): [Day, DayColumn[]] {
  const [columns, others] = [true, false].map((isWanted) =>
    day.columns.filter((column) => isPresent(day, column, showsCancelled) === isWanted),
  ) as [DayColumn[], DayColumn[]];
  return [{ ...day, columns }, others.filter(({ is_active }) => is_active)];
}

/** Who comes first: the lists are by person. */
function firstAppointmentText(day: Day, { region, customers }: ShownDay): string {
  const [first] = day.columns
    .flatMap((column) => appointmentsOn(day, column, false))
    .toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at));
  return first
    ? `First: ${customerName(customers, first.customer_id)}, ${clockIn(region, first.starts_at)}. `
    : '';
}

function facts(day: Day, page: ShownDay): Html {
  const { region, showsCancelled, now } = page;
  const { date } = day;
  const booked = day.columns.flatMap((column) => appointmentsOn(day, column, false)).length;
  const cancelled = day.columns.flatMap((column) => appointmentsOn(day, column, true)).length - booked;
  const kept: DayQuery = { date, cancelled: showsCancelled ? undefined : '1' };
  const given = day.columns.flatMap(({ appointments }) => appointments);
  const isAll = given.filter(({ status }) => status === 'cancelled').length < MAX_SHOWN_WITHOUT_SLOT;
  const which = html`${!isAll && 'the last '}${countText(region, cancelled)}`;
  const toggle = html`<a href="${dayAddress(kept)}">${showsCancelled ? 'Hide' : 'Show'} ${which} cancelled</a>`;
  const count = `${plural(region, booked, 'appointment')}.`;
  return html`<p data-news="${count}">${count} ${firstAppointmentText(day, page)}Times are in ${region.zone}${
    date === dateIn(region.zone, now) && `, where it is ${clockIn(region, now)}`
  }.
${cancelled > 0 && toggle}</p>
${hoursNotice(day, 'this day')}`;
}

const hoursLink = () => html`<a href="${OPENING_HOURS}">Check the hours</a>`;

const nothing = (day: Day): Html =>
  hoursOf(day) === 0
    ? html`<p class="empty">This day did not exist in ${day.timezone}: the clocks skipped it.</p>`
    : html`<p class="empty">Nobody works on this day${reasons(day)}, and nothing is booked. ${hoursLink()}</p>`;

/** Booked or held all the same: somebody should know. */
const notWorking = (day: Day): Html | false =>
  day.columns.every(({ open }) => open.length === 0) &&
  notice(
    'waiting',
    html`Nobody works on this day${reasons(day)}, yet ${isOnlyHeld(day) ? 'times are held' : 'it has appointments'}. ${hoursLink()}`,
  );

const isOnlyHeld = ({ columns }: Day): boolean =>
  columns.every(({ appointments }) => appointments.length === 0) &&
  columns.some((column) => holdsOf(column).length > 0);
