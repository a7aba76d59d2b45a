import { MAX_LENGTH, type TimeOffRecord } from '@frontdesk/contracts';
import { recordForm, versionField } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import { daysOfTimeOff } from '../region/time-off.rules.ts';
import { actionButton, confirmation } from '../ui/controls.view.ts';
import { dateInput, inputField, timeInput } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { daysIn } from '../ui/times.view.ts';
import type { CalendarCards, CalendarOptions, DateForm } from './calendar-cards.ts';
import { conflictList } from './conflicts.view.ts';

/** Stretches of days without work: holidays of one, closing days of all. */
export function timeOffCard(context: PageContext, form: FormState, options: CalendarOptions): Html {
  const { record, today, name } = options;
  const isOver = ({ end }: TimeOffRecord) => end <= `${today}T00:00`;
  const coming = record.time_off.filter((entry) => !isOver(entry));
  const past = record.time_off.filter(isOver);
  return panel({
    id: 'time-off',
    isPlace: true,
    title: name === null ? 'Closing days' : 'Time off',
    body: html`<p>${
      name === null
        ? 'Nobody works on these days, whatever their own hours are.'
        : 'Holidays, courses, illness.'
    } Existing appointments stay booked.</p>
${conflictList('time-off', options.conflicts, record.exceptions)}
${
  coming.length === 0
    ? html`<p class="empty">None coming up.${mayUse(context, 'POST', addressOf(options)) && ` ${howToAdd(name)}`}</p>`
    : list(context, coming, options)
}
${
  past.length > 0 &&
  html`<details><summary>${past.length} past</summary>${list(context, past.toReversed(), options)}</details>`
}
${timeOffForm(context, form, options)}`,
  });
}

/** Where it is added, and taken back below it. */
const addressOf = ({ base }: Pick<CalendarCards, 'base'>) => `${base}/time-off`;

const howToAdd = (name: string | null) =>
  name === null
    ? 'Add the days on which the business is closed.'
    : 'Add time off as soon as it is agreed, so that nobody books it.';

const list = (context: PageContext, entries: TimeOffRecord[], options: CalendarOptions): Html =>
  html`<ul class="entries">${entries.map((entry) => item(context, entry, options))}</ul>`;

function item(
  context: PageContext,
  { id, note, ...stretch }: TimeOffRecord,
  { base, name, region, etag }: CalendarOptions,
): Html {
  const days = daysIn(region, daysOfTimeOff(stretch));
  return html`<li><p>${days}${note && html`<span class="hint">${note}</span>`}</p>
<div class="actions">${confirmation(context, {
    id: `remove-off-${id}`,
    button: 'Remove',
    of: note ?? stretch.start.slice(0, 10),
    title: name === null ? 'Remove these closing days?' : 'Remove this time off?',
    text: html`${days}: the usual hours apply again.`,
    action: `${base}/time-off/${id}/delete`,
    confirm: 'Remove',
    fields: versionField(etag),
  })}</div></li>`;
}

/** Removes what was added just now; it stands in the list as well. */
export function timeOffUndo(
  context: PageContext,
  { base, calendar }: Pick<CalendarCards, 'base' | 'calendar'>,
): Html | false {
  const { done, isSuspended } = context;
  if (done?.notice !== 'time-off-added' || calendar === null || isSuspended) return false;
  const added = calendar.record.time_off.find(({ id }) => id === done.id);
  if (added === undefined) return false;
  return actionButton(context, {
    action: `${base}/time-off/${added.id}/delete`,
    name: 'Undo',
    of: added.note ?? added.start.slice(0, 10),
    fields: versionField(calendar.etag),
  });
}

export function timeOffForm(context: PageContext, sent: FormState, options: DateForm): Html | false {
  const { region, etag = '', name, record } = options;
  const action = addressOf(options);
  if (!mayUse(context, 'POST', action)) return false;
  // It adds to what is there, whatever others add.
  const form = recordState(sent, record ? { etag, values: {} } : null);
  return html`<details class="adding"${isSent(sent) && html` open`}>
<summary>${name === null ? 'Add closing days' : 'Add time off'}</summary>
${recordForm(context, form, {
  action,
  id: 'time-off-form',
  isRecord: true,
  submit: name === null ? 'Add closing days' : 'Add time off',
  body: html`<div class="fields">${dateInput(form, { name: 'first_day', label: 'First day' })}
${dateInput(form, { name: 'last_day', label: 'Last day', isOptional: true })}</div>
<details${
    (form.values.first_time || form.values.last_time) && html` open`
  }><summary>Only part of a day?</summary><div class="fields">
${timeInput(region, form, { name: 'first_time', label: 'Starts on the first day at', isOptional: true })}
${timeInput(region, form, { name: 'last_time', label: 'Ends on the last day at', isOptional: true })}</div></details>
${inputField(form, {
  name: 'note',
  id: 'time-off-note',
  label: 'Note',
  isOptional: true,
  maxLength: MAX_LENGTH.calendarNote,
  placeholder: 'Holiday',
})}`,
})}</details>`;
}
