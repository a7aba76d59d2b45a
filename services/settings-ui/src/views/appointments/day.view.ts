import { type Day, type DayColumn, MAX_SHOWN_WITHOUT_SLOT } from '@frontdesk/contracts';
import { appointmentsOn, drawnRange, hoursOf } from '../../domain/appointments/day-plot.ts';
import { type DayQuery, dateBeside, dayAddress, weekAddress } from '../../domain/appointments/day-query.ts';
import { clockIn, dateIn, longDate } from '../../domain/shared/dates.ts';
import { countText, plural } from '../../domain/shared/words.ts';
import type { LoadedDays } from '../../use-cases/load-days.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { badge, unavailable } from '../shared/parts.ts';
import { bookLink } from './book-link.view.ts';
import { calendarPage } from './calendar-page.view.ts';
import { dayList } from './day-list.view.ts';
import { hoursNotice, NAMES_AWAY, reasons } from './day-notices.view.ts';
import { columnName, hoursWords, plan, whyWords } from './plan.view.ts';

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
    ...{
      tenant,
      region,
      view: 'day',
      date,
      address: dayAddress({ date, cancelled }),
      title: longDate(region, date),
    },
    before: to(dateBeside(date, -1), 'Previous day'),
    today: { href: dayAddress({ date: undefined, cancelled }), isShown: date === today },
    after: to(dateBeside(date, 1), 'Next day'),
    fields: showsCancelled && html`<input type="hidden" name="cancelled" value="1">`,
    body: dayBody(page),
  });
}

/** All that changes by itself. */
export function dayBody(page: ShownDay): Html {
  const { tenant, region, days, customers, showsCancelled } = page;
  const [day] = days ?? [];
  if (day === undefined) return unavailable('This day');
  const business = tenant?.name ?? 'The business';
  const [present, absent] = presence(day, showsCancelled);
  const drawn = dayPlan(present, business, page);
  return html`${facts(day, page)}
${customers === null && NAMES_AWAY}
${drawn === null ? nothing(day) : html`${notWorking(day)}${drawn}`}
${
  present.columns.length > 0 &&
  html`${absent.length > 0 && html`<p class="hint">Not working: ${absent.map((column) => `${columnName(column, business)}${whyWords(column)}`).join(', ')}.</p>`}
${dayList({ day: present, region, customers, showsCancelled, business })}`
}`;
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

function columnHead(day: Day, column: DayColumn, name: string, { region, canBook, now }: ShownDay): Html {
  const { date } = day;
  const { staff_id, is_active } = column;
  const shown = staff_id === null ? name : html`<a href="${weekAddress({ date, staff_id })}">${name}</a>`;
  return html`<strong>${shown}</strong>${bookLink(day, column, { canBook, now, whom: name })}${!is_active && badge('off', 'Not bookable')}
<span class="hint">${hoursWords(column, region)}</span>`;
}

/** The day of those who have something on it, and the others, who need no column. */
function presence(day: Day, showsCancelled: boolean): [Day, DayColumn[]] {
  const isPresent = (column: DayColumn) =>
    column.open.length > 0 || appointmentsOn(day, column, showsCancelled).length > 0;
  const columns = day.columns.filter(isPresent);
  return [{ ...day, columns }, day.columns.filter((column) => column.is_active && !isPresent(column))];
}

function facts(day: Day, { region, showsCancelled, now }: ShownDay): Html {
  const { date } = day;
  const booked = day.columns.flatMap((column) => appointmentsOn(day, column, false)).length;
  const cancelled = day.columns.flatMap((column) => appointmentsOn(day, column, true)).length - booked;
  const kept: DayQuery = { date, cancelled: showsCancelled ? undefined : '1' };
  const given = day.columns.flatMap(({ appointments }) => appointments);
  const isAll = given.filter(({ status }) => status === 'cancelled').length < MAX_SHOWN_WITHOUT_SLOT;
  const toggle = html`<a href="${dayAddress(kept)}">${showsCancelled ? 'Hide' : 'Show'} ${!isAll && 'the last '}${countText(region, cancelled)} cancelled</a>`;
  const count = `${plural(region, booked, 'appointment')}.`;
  return html`<p data-news="${count}">${count} Times are in ${region.zone}${date === dateIn(region.zone, now) && `, where it is ${clockIn(region, now)}`}.
${cancelled > 0 && toggle}</p>
${hoursNotice(day, 'this day')}`;
}

const hoursLink = () => html`<a href="/settings/business">Check the hours</a>`;

const nothing = (day: Day): Html =>
  hoursOf(day) === 0
    ? html`<p class="empty">This day did not exist in ${day.timezone}: the clocks skipped it.</p>`
    : html`<p class="empty">Nobody works on this day${reasons(day)}, and nothing is booked. ${hoursLink()}</p>`;

/** Booked all the same: somebody should know. */
const notWorking = (day: Day): Html | false =>
  day.columns.every(({ open }) => open.length === 0) &&
  html`<p class="notice waiting">Nobody works on this day${reasons(day)}, yet it has appointments. ${hoursLink()}</p>`;
