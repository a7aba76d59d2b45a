import type { Day, DayColumn } from '@frontdesk/contracts';
import { clockIn, longDate } from '../../domain/dates.ts';
import { appointmentsOn, drawnRange, hoursOf } from '../../domain/day-plot.ts';
import { type DayQuery, dateBeside, dayAddress } from '../../domain/day-query.ts';
import { plural } from '../../domain/words.ts';
import type { LoadedDay } from '../../use-cases/load-day.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { dayList } from './day-list.view.ts';
import { columnName, dayPlan, whyWords } from './day-plan.view.ts';

/** Where hours, breaks and closed days are entered. */
const HOURS_PAGE = '/settings/business';

interface DayPage extends LoadedDay {
  /** The day that is shown, and the business's today. */
  date: string;
  today: string;
  showsCancelled: boolean;
  now: number;
}

export function dayPage(context: PageContext, page: DayPage): string {
  const { tenant, day, date } = page;
  return layout(context, {
    title: 'Calendar',
    at: '/settings/calendar',
    lead: tenant?.name ?? false,
    body: html`<section class="card" aria-labelledby="day-title">
${navigation(page)}
<h2 id="day-title">${longDate(date)}</h2>
${day === null ? unavailable('This day') : shownDay(day, page)}</section>`,
  });
}

function navigation({ date, today, showsCancelled }: DayPage): Html {
  const kept: DayQuery = { date: undefined, cancelled: showsCancelled ? '1' : undefined };
  const link = (to: string | null, name: string, sign: string) =>
    to !== null &&
    html`<a class="button" href="${dayAddress({ ...kept, date: to })}"><span aria-hidden="true">${sign}</span><span class="for-reader">${name}, ${longDate(to)}</span></a>`;
  return html`<div class="day-bar"><nav class="actions" aria-label="Days">
${link(dateBeside(date, -1), 'Previous day', '‹')}
<a class="button" href="${dayAddress(kept)}"${date === today && html` aria-current="date"`}>Today</a>
${link(dateBeside(date, 1), 'Next day', '›')}</nav>
<form method="get" action="/settings/calendar" class="row" aria-label="Go to a day">
${showsCancelled && html`<input type="hidden" name="cancelled" value="1">`}
<label><span class="for-reader">Date</span><input type="date" name="date" value="${date}" required></label>
<button type="submit">Show</button></form></div>`;
}

function shownDay(day: Day, page: DayPage): Html {
  const { customers, showsCancelled, today, date, tenant } = page;
  const [present, absent] = presence(day, showsCancelled);
  const range = drawnRange(present, showsCancelled);
  const now = date === today ? page.now : null;
  const business = tenant?.name ?? 'The business';
  return html`${facts(day, page)}
${customers === null && html`<p class="notice waiting" role="status">Customer names can’t be shown right now, only customer numbers.</p>`}
${
  range === null
    ? nothing(day)
    : html`${notWorking(day)}${dayPlan({ day: present, range, customers, showsCancelled, now }, business)}
${absent.length > 0 && html`<p class="hint">Not working: ${absent.map((column) => `${columnName(column, business)}${whyWords(column)}`).join(', ')}.</p>`}
${dayList({ day: present, customers, showsCancelled, business })}`
}`;
}

/** The day of those who have something on it, and the others, who need no column. */
function presence(day: Day, showsCancelled: boolean): [Day, DayColumn[]] {
  const isPresent = (column: DayColumn) =>
    column.open.length > 0 || appointmentsOn(day, column, showsCancelled).length > 0;
  const columns = day.columns.filter(isPresent);
  return [{ ...day, columns }, day.columns.filter((column) => column.is_active && !isPresent(column))];
}

function facts(day: Day, { date, showsCancelled, today, now }: DayPage): Html {
  const { timezone: zone } = day;
  const booked = day.columns.flatMap((column) => appointmentsOn(day, column, false)).length;
  const cancelled = day.columns.flatMap((column) => appointmentsOn(day, column, true)).length - booked;
  const toggle = html`<a href="${dayAddress({ date, cancelled: showsCancelled ? undefined : '1' })}">${showsCancelled ? 'Hide' : 'Show'} ${cancelled} cancelled</a>`;
  const hours = hoursOf(day);
  return html`<p>${plural(booked, 'appointment')}. Times are in ${zone}${date === today && `, where it is ${clockIn(zone, now)}`}.
${cancelled > 0 && toggle}</p>
${hours !== 24 && hours > 0 && html`<p class="notice waiting">The clocks change on this day: it has ${hours} hours.</p>`}`;
}

const hoursLink = () => html`<a href="${HOURS_PAGE}">Check the hours</a>`;

/** Why nobody works, as far as somebody has noted it. */
function reasons(day: Day): string {
  const notes = day.columns.flatMap(({ time_off, exception }) => [
    ...time_off.map(({ note }) => note),
    exception?.note,
  ]);
  const known = new Set(notes.filter((note) => note));
  return known.size > 0 ? ` (${[...known].join(', ')})` : '';
}

const nothing = (day: Day): Html =>
  hoursOf(day) === 0
    ? html`<p class="empty">This day did not exist in ${day.timezone}: the clocks skipped it.</p>`
    : html`<p class="empty">Nobody works on this day${reasons(day)}, and nothing is booked. ${hoursLink()}</p>`;

/** Booked all the same: somebody should know. */
const notWorking = (day: Day): Html | false =>
  day.columns.every(({ open }) => open.length === 0) &&
  html`<p class="notice waiting">Nobody works on this day${reasons(day)}, yet it has appointments. ${hoursLink()}</p>`;
