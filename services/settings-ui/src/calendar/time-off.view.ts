import { type Day, type DayColumn, type DayTimeOff, MAX_LENGTH } from '@frontdesk/contracts';
import { stretchOf } from '../booking/day-plot.rules.ts';
import { clockText, clockTimeIn, shortDate, spanText, weekdayAndDay } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { daysOfTimeOff, type TimeOffDays } from '../region/time-off.rules.ts';
import { inputField, timeInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';

/** Starts that are offered lie on quarters of an hour. */
const STEP_MS = 900_000;

/** The page of somebody's hours: a staff member's, or the business's own. */
const hoursAddress = (staffId: number | null): string =>
  staffId === null ? '/settings/business/opening-hours' : `/settings/business/staff/${staffId}`;

/** Whose time it is, of which day, and where time off is added: what calendar-block.js needs. */
export const ownerData = (
  { date }: Pick<Day, 'date'>,
  { staff_id }: Pick<DayColumn, 'staff_id'>,
  { region, who }: { region: Region; who: string },
): Html => html` data-off="${hoursAddress(staff_id)}/time-off" data-date="${date}"
data-day="${weekdayAndDay(region, date)}" data-staff="${staff_id ?? ''}" data-who="${who}"`;

interface BlockLink {
  canBook: boolean;
  now: number;
  region: Region;
  who: string;
  /** Read out with it. */
  whom: string;
}

/** Blocks time of somebody who still works on the day; without scripts, on the page of their hours. */
export function blockLink(
  day: Day,
  column: DayColumn,
  { canBook, whom, ...options }: BlockLink,
): Html | false {
  const { now, region } = options;
  const open = column.open.map(stretchOf);
  const end = open.at(-1)?.end ?? now;
  if (!canBook || end <= now) return false;
  const first = open.find((stretch) => now < stretch.end) ?? { start: now };
  const clock = (at: number) => clockText(region, clockTimeIn(region.zone, at));
  const start = Math.min(Math.max(first.start, Math.ceil(now / STEP_MS) * STEP_MS), end - STEP_MS);
  const until = end === Date.parse(day.ends_at) ? '24:00' : clock(end);
  return html`<a class="block" href="${hoursAddress(column.staff_id)}#time-off" title="Block time"${ownerData(day, column, options)}
data-from="${clock(start)}" data-until="${until}"><svg viewBox="0 0 16 16" aria-hidden="true">
<path d="M3.4 3.4a6.5 6.5 0 1 0 9.2 9.2 6.5 6.5 0 1 0-9.2-9.2l9.2 9.2"/></svg><span class="for-reader">Block time of ${whom}</span></a>`;
}

function daysText(region: Region, { first, last }: TimeOffDays): string {
  if (first.date === last.date) {
    const isWhole = first.time === null && last.time === null;
    const hours = spanText(region, first.time ?? '00:00', last.time ?? '24:00');
    return isWhole ? shortDate(region, first.date) : `${shortDate(region, first.date)}, ${hours}`;
  }
  const moment = ({ date, time }: TimeOffDays['first']) =>
    time === null ? shortDate(region, date) : `${shortDate(region, date)}, ${clockText(region, time)}`;
  return `${moment(first)} – ${moment(last)}`;
}

/** The attributes of a link to time off: without scripts it leads to where it can be removed, with them it asks. */
export function timeOffLink(
  { note, entry }: DayTimeOff,
  day: Day,
  column: DayColumn,
  options: { region: Region; who: string; canBook: boolean },
): Html | null {
  if (!entry) return null;
  const { id, start, end, is_of_business } = entry;
  const owner = { staff_id: is_of_business ? null : column.staff_id };
  const when = daysText(options.region, daysOfTimeOff({ start, end }));
  return html` href="${hoursAddress(owner.staff_id)}#time-off"${
    options.canBook &&
    html`${ownerData(day, owner, { ...options, who: is_of_business ? 'Everybody' : options.who })}
data-entry="${id}" data-start="${start}" data-end="${end}" data-when="${when}" data-note="${note ?? ''}"`
  }`;
}

/** What calendar-block.js asks before it blocks time, and before it removes what is blocked. */
export const timeOffDialogs = (region: Region): Html =>
  html`<dialog id="block" aria-labelledby="block-title"><form method="dialog">
<h3 id="block-title">Block this time?</h3>
<p><strong data-part="whose"></strong></p>
<div class="fields">${timeInput(region, EMPTY_FORM, { name: 'first_time', id: 'block-from', label: 'From' })}
${timeInput(region, EMPTY_FORM, { name: 'last_time', id: 'block-until', label: 'To' })}</div>
${inputField(EMPTY_FORM, {
  name: 'note',
  id: 'block-note',
  label: 'Reason',
  isOptional: true,
  maxLength: MAX_LENGTH.calendarNote,
  placeholder: 'Lunch',
})}
<p class="hint">Nobody can book this time then. Appointments that are in it already stay booked.</p>
<p class="notice bad" role="alert" tabindex="-1" data-part="problem" hidden></p>
<div class="actions"><button type="button" command="close" commandfor="block">Cancel</button>
<a class="button" data-part="book">Book instead</a>
<button type="submit" class="primary">Block time</button></div></form></dialog>
<dialog id="unblock" aria-labelledby="unblock-title"><form method="dialog">
<h3 id="unblock-title">Remove this time off?</h3>
<p><strong data-part="whose"></strong><br><span data-part="when"></span></p>
<p class="hint">The usual hours apply again.</p>
<p class="notice bad" role="alert" tabindex="-1" data-part="problem" hidden></p>
<div class="actions"><button value="cancel">Keep it</button>
<a class="button" data-part="all">All time off</a>
<button type="button" class="danger solid" data-part="remove">Remove</button></div></form></dialog>`;
