import type { Day, DayColumn } from '@frontdesk/contracts';
import { appointmentsOn, drawnHours, rangeOfHours, stretchOf } from '../booking/day-plot.rules.ts';
import { dateBeside, dayAddress, weekAddress } from '../records/day-query.rules.ts';
import type { DayPerson } from '../records/person.rules.ts';
import { clockIn, dateIn, dayAndYear, longDate, shortDay, weekdayAndDay } from '../region/dates.rules.ts';
import { plural } from '../region/words.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { bookLink } from './book-link.view.ts';
import { calendarPage } from './calendar-page.view.ts';
import { dayList, listToggle } from './day-list.view.ts';
import { hoursNotice, NAMES_AWAY } from './day-notices.view.ts';
import type { LoadedDays } from './load-days.ts';
import { columnOf, peopleOf } from './people.rules.ts';
import { columnName, hoursWords, plan } from './plan.view.ts';
import type { PlanColumn } from './plan-options.ts';
import { blockLink } from './time-off.view.ts';
import { weekTable } from './week-table.view.ts';

export interface ShownWeek extends LoadedDays {
  /** One of its days, and the business's today. */
  date: string;
  today: string;
  /** Whose week it is; undefined: everybody's. */
  staffId: number | undefined;
  /** Who that is, also where they have none of these days. */
  person: DayPerson | null;
  now: number;
  canBook: boolean;
}

const WEEK_DAYS = 7;

export function weekPage(context: PageContext, page: ShownWeek): string {
  const { tenant, region, days, date, today, staffId: staff_id } = page;
  const first = days?.[0]?.date ?? date;
  const to = (beside: string | null, name: string) =>
    beside === null
      ? null
      : { href: weekAddress({ date: beside, staff_id }), name: `${name}, from ${longDate(region, beside)}` };
  return calendarPage(context, {
    tenant,
    region,
    view: 'week',
    date,
    address: weekAddress({ date: first, staff_id }),
    title: titleOf(page),
    shortTitle: titleOf(page, shortDay),
    before: to(dateBeside(first, -WEEK_DAYS), 'Previous week'),
    today: {
      href: weekAddress({ date: undefined, staff_id }),
      isShown: days?.some((day) => day.date === today) ?? false,
    },
    after: to(dateBeside(first, WEEK_DAYS), 'Next week'),
    fields: peoplePicker(page),
    staffId: staff_id,
    body: weekBody(page),
  });
}

function titleOf({ region, days, date }: ShownWeek, lastDay = dayAndYear): string {
  const [first, last] = [days?.at(0)?.date ?? date, days?.at(-1)?.date ?? date];
  return days === null
    ? `Week of ${longDate(region, date)}`
    : `${shortDay(region, first)} – ${lastDay(region, last)}`;
}

function peoplePicker({ days, staffId, person, tenant }: ShownWeek): Html | false {
  const shown = days ? peopleOf(days) : [];
  const isMissing = person !== null && shown.every(({ staff_id }) => staff_id !== person.staff_id);
  const people = isMissing ? [...shown, person] : shown;
  if (people.length < 2) return false;
  const option = ({ staff_id, name, is_active }: DayPerson) =>
    staff_id !== null &&
    html`<option value="${staff_id}"${
      staff_id === staffId && html` selected`
    }>${name}${!is_active && ' (not bookable)'}</option>`;
  return html`<label><span class="for-reader">Whose week</span><select name="staff_id">
<option value="">${tenant?.name ?? 'Everybody'}</option>${people.map(option)}</select></label>`;
}

/** All that changes by itself. */
export function weekBody(page: ShownWeek): Html {
  const { tenant, region, days, customers, staffId } = page;
  if (days === null) return unavailable('This week');
  const business = tenant?.name ?? 'The business';
  const people = peopleOf(days);
  const only = people.length === 1 ? people[0] : undefined;
  const person =
    staffId === undefined
      ? (only ?? null)
      : (people.find(({ staff_id }) => staff_id === staffId) ?? page.person);
  return html`${facts(days, person, page)}
${days.map((day) => hoursNotice(day, longDate(region, day.date)))}
${customers === null && NAMES_AWAY}
${
  person
    ? weekPlan(days, person, { ...page, who: columnName(person, business) })
    : weekTable(days, people, { ...page, business })
}`;
}

function facts(days: readonly Day[], person: DayPerson | null, { region, now }: ShownWeek): Html {
  const booked = days.flatMap((day) =>
    day.columns
      .filter(({ staff_id }) => person === null || staff_id === person.staff_id)
      .flatMap((column) => appointmentsOn(day, column, false).filter((one) => isOfDay(day, one))),
  );
  const isNow = days.some(({ date }) => date === dateIn(region.zone, now));
  const count = `${plural(region, booked.length, 'appointment')}.`;
  return html`<p data-news="${count}">${count} Times are in ${region.zone}${
    isNow && `, where it is ${clockIn(region, now)}`
  }.</p>`;
}

/** One that goes on after midnight counts where it begins. */
const isOfDay = (day: Day, { starts_at }: { starts_at: string }) => {
  const { start, end } = stretchOf(day);
  const at = Date.parse(starts_at);
  return start <= at && at < end;
};

type WeekPlanOptions = Omit<ShownWeek, 'person'> & { who: string };

/** The days of one person beside each other; on phones below each other. */
function weekPlan(days: readonly Day[], person: DayPerson, options: WeekPlanOptions): Html {
  const { who, region } = options;
  const ofPerson = days.map((day) => ({ ...day, columns: [columnOf(day, person)] }));
  const hours = drawnHours(ofPerson, false);
  if (hours === null)
    return html`<p class="empty">${who} does not work in this week, and nothing is booked.</p>`;
  const columns = ofPerson.map((day) => {
    const column = columnOf(day, person);
    return {
      key: `d${day.date}`,
      label: longDate(region, day.date),
      who,
      head: html`<strong>${dayTitle(day, options)}</strong>${dayLinks(day, column, options)}
<span class="hint">${hoursWords(column, region)}</span>`,
      day,
      column,
      range: rangeOfHours(day, hours),
    } satisfies PlanColumn;
  });
  const parts = columns.map(({ day, column }) => ({
    key: `a${day.date}`,
    day,
    column,
    who,
    title: dayTitle(day, options),
    links: dayLinks(day, column, options),
    hours: hoursWords(column, region),
  }));
  const shown = { ...options, showsCancelled: false };
  return html`${listToggle('The week as a list')}${plan(columns, { ...shown, label: `Week of ${who}` })}
${dayList(parts, { ...shown, isPrinted: false })}`;
}

function dayTitle({ date }: Day, { region, now }: WeekPlanOptions): Html {
  const current = date === dateIn(region.zone, now) && html` aria-current="date"`;
  return html`<a href="${dayAddress({ date, cancelled: undefined })}"${current}>${weekdayAndDay(region, date)}</a>`;
}

function dayLinks(day: Day, column: DayColumn, { region, now, canBook, who }: WeekPlanOptions): Html {
  const whom = `${who} on ${longDate(region, day.date)}`;
  return html`<span class="head-links">${bookLink(day, column, { canBook, now, whom })}${blockLink(
    day,
    column,
    {
      region,
      canBook,
      now,
      who,
      whom,
    },
  )}</span>`;
}
