import type { Day } from '@frontdesk/contracts';
import { drawnHours, rangeOfHours } from '../../domain/appointments/day-plot.ts';
import { dayAddress } from '../../domain/appointments/day-query.ts';
import { columnOf, type Person } from '../../domain/people.ts';
import { dateIn, longDate, weekdayAndDay } from '../../domain/shared/dates.ts';
import { type Html, html } from '../shared/html.ts';
import { bookLink } from './book-link.view.ts';
import { hoursWords, plan } from './plan.view.ts';
import type { PlanColumn, PlanOptions } from './plan-options.ts';

type WeekPlanOptions = Omit<PlanOptions, 'showsCancelled'> & { who: string };

/** The days of one person beside each other. */
export function weekPlan(days: readonly Day[], person: Person, options: WeekPlanOptions): Html {
  const { who, ...planOptions } = options;
  const { region } = options;
  const ofPerson = days.map((day) => ({ ...day, columns: [columnOf(day, person)] }));
  const hours = drawnHours(ofPerson, false);
  if (hours === null)
    return html`<p class="empty">${who} does not work in this week, and nothing is booked.</p>`;
  const columns = ofPerson.map((day): PlanColumn => {
    const column = columnOf(day, person);
    const head = dayHead(day, column, options);
    return {
      key: `d${day.date}`,
      label: longDate(region, day.date),
      who,
      head,
      day,
      column,
      range: rangeOfHours(day, hours),
    };
  });
  return plan(columns, { ...planOptions, showsCancelled: false, label: `Week of ${who}` });
}

function dayHead(
  day: Day,
  column: PlanColumn['column'],
  { region, now, canBook, who }: WeekPlanOptions,
): Html {
  const { date } = day;
  const isToday = date === dateIn(region.zone, now);
  return html`<strong><a href="${dayAddress({ date, cancelled: undefined })}"${isToday && html` aria-current="date"`}>${weekdayAndDay(region, date)}</a></strong>
${bookLink(day, column, { canBook, now, whom: `${who} on ${longDate(region, date)}` })}
<span class="hint">${hoursWords(column, region)}</span>`;
}
