import type { Day } from '@frontdesk/contracts';
import { appointmentsOn, stretchOf } from '../../domain/appointments/day-plot.ts';
import { dateBeside, weekAddress } from '../../domain/appointments/day-query.ts';
import { type Person, peopleOf } from '../../domain/people.ts';
import { clockIn, dateIn, dayAndYear, longDate, shortDay } from '../../domain/shared/dates.ts';
import { plural } from '../../domain/shared/words.ts';
import type { LoadedDays } from '../../use-cases/load-days.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { calendarPage } from './calendar-page.view.ts';
import { hoursNotice, NAMES_AWAY } from './day-notices.view.ts';
import { columnName } from './plan.view.ts';
import { weekPlan } from './week-plan.view.ts';
import { weekTable } from './week-table.view.ts';

export interface ShownWeek extends LoadedDays {
  /** One of its days, and the business's today. */
  date: string;
  today: string;
  /** Whose week it is; undefined: everybody's. */
  staffId: number | undefined;
  /** Who that is, also where they have none of these days. */
  person: Person | null;
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
    ...{
      tenant,
      region,
      view: 'week',
      date,
      address: weekAddress({ date: first, staff_id }),
      title: titleOf(page),
    },
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

function titleOf({ region, days, date }: ShownWeek): string {
  const [first, last] = [days?.at(0)?.date ?? date, days?.at(-1)?.date ?? date];
  return days === null
    ? `Week of ${longDate(region, date)}`
    : `${shortDay(region, first)} – ${dayAndYear(region, last)}`;
}

function peoplePicker({ days, staffId, person, tenant }: ShownWeek): Html | false {
  const shown = days ? peopleOf(days) : [];
  const isMissing = person !== null && shown.every(({ staff_id }) => staff_id !== person.staff_id);
  const people = isMissing ? [...shown, person] : shown;
  if (people.length < 2) return false;
  const option = ({ staff_id, name, is_active }: Person) =>
    staff_id !== null &&
    html`<option value="${staff_id}"${staff_id === staffId && html` selected`}>${name}${!is_active && ' (not bookable)'}</option>`;
  return html`<label><span class="for-reader">Whose week</span><select name="staff_id"><option value="">${tenant?.name ?? 'Everybody'}</option>${people.map(option)}</select></label>`;
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

function facts(days: readonly Day[], person: Person | null, { region, now }: ShownWeek): Html {
  const booked = days.flatMap((day) =>
    day.columns
      .filter(({ staff_id }) => person === null || staff_id === person.staff_id)
      .flatMap((column) => appointmentsOn(day, column, false).filter((one) => isOfDay(day, one))),
  );
  const isNow = days.some(({ date }) => date === dateIn(region.zone, now));
  const count = `${plural(region, booked.length, 'appointment')}.`;
  return html`<p data-news="${count}">${count} Times are in ${region.zone}${isNow && `, where it is ${clockIn(region, now)}`}.</p>`;
}

/** One that goes on after midnight counts where it begins. */
const isOfDay = (day: Day, { starts_at }: { starts_at: string }) => {
  const { start, end } = stretchOf(day);
  const at = Date.parse(starts_at);
  return start <= at && at < end;
};
