import { MAX_LENGTH } from '@frontdesk/contracts';
import { drawnOf, drawnText } from '../forms/merged-form.rules.ts';
import { recordForm, versionField } from '../records/record-form.view.ts';
import { type FieldShape, recordState } from '../records/record-state.ts';
import type { Region } from '../region/region.rules.ts';
import { confirmation } from '../ui/controls.view.ts';
import {
  clashChoice,
  dateInput,
  describedBy,
  fieldErrors,
  inputField,
  radioGroup,
} from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type FormState, isSent, type PageContext, textOf } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { dayIn } from '../ui/times.view.ts';
import type { CalendarOptions, DateForm } from './calendar-cards.ts';
import { conflictList } from './conflicts.view.ts';
import { draftSpans, spansOf } from './hours-draft.rules.ts';
import { stretch } from './hours-form.view.ts';
import { spanFields, spansOfText, textOfSpans } from './span-text.rules.ts';
import { spansText } from './week-picture.rules.ts';

/** Rows for hours in the form at least. */
const ROWS = 2;
const HOURS = { name: 'hours' };
const CLOSED = 'closed';

type Exception = CalendarOptions['record']['exceptions'][number];

/** Dates with hours of their own. */
export function exceptionsCard(context: PageContext, form: FormState, options: CalendarOptions): Html {
  const { record, today, name } = options;
  const coming = record.exceptions.filter(({ date }) => date >= today);
  const past = record.exceptions.filter(({ date }) => date < today);
  return panel({
    id: 'exceptions',
    isPlace: true,
    title: 'Special hours',
    body: html`<p>${
      name === null
        ? 'On these dates they replace the weekly hours, and staff with hours of their own work only within them.'
        : `On these dates they replace ${name}’s weekly hours.`
    }</p>
${conflictList('exceptions', options.conflicts, record.exceptions)}
${
  coming.length === 0
    ? html`<p class="empty">None coming up.${
        mayUse(context, 'POST', options.base) &&
        ' Add a date for a late evening, a shorter day or a bank holiday.'
      }</p>`
    : list(context, coming, options)
}
${
  past.length > 0 &&
  html`<details><summary>${past.length} past</summary>${list(context, past.toReversed(), options)}</details>`
}
${exceptionForm(context, form, options)}`,
  });
}

const hoursText = (region: Region, hours: Exception['hours']) =>
  hours.length === 0 ? 'Closed' : spansText(region, hours);

const list = (context: PageContext, exceptions: Exception[], options: CalendarOptions): Html =>
  html`<ul class="entries">${exceptions.map((exception) => item(context, exception, options))}</ul>`;

function item(
  context: PageContext,
  { date, hours, note }: Exception,
  { base, name, region, etag }: CalendarOptions,
): Html {
  const text = hours.length === 0 && name !== null ? 'Off' : hoursText(region, hours);
  return html`<li><p>${dayIn(region, date)} <strong>${text}</strong>${
    note && html`<span class="hint">${note}</span>`
  }</p>
<div class="actions">${
    mayUse(context, 'POST', base) &&
    html`<a class="button quiet" href="${base}?date=${date}#exceptions">Change<span class="for-reader"> ${date}</span></a>`
  }
${confirmation(context, {
  id: `remove-${date}`,
  button: 'Remove',
  of: date,
  title: 'Remove these hours?',
  text: html`The weekly hours apply again on ${dayIn(region, date)}.`,
  action: `${base}/exceptions/${date}/delete`,
  confirm: 'Remove',
  fields: versionField(etag),
})}</div></li>`;
}

const valuesOf = (exception: Exception | undefined, date: string): FormState['values'] => ({
  date,
  kind: exception && exception.hours.length === 0 ? 'closed' : 'hours',
  start: draftSpans(exception?.hours ?? []).map(({ start }) => start),
  end: draftSpans(exception?.hours ?? []).map(({ end }) => end),
  note: exception?.note ?? '',
});

/** Hours of a date are compared as a whole. */
const BY_DATE: FieldShape = {
  toCompared: ({ date, note, kind, chosen_hours, start, end }) => ({
    date,
    note,
    chosen_hours: chosen_hours ?? (kind === CLOSED ? CLOSED : textOfSpans(spansOf({ start, end }))),
  }),
  toFields: ({ date, note, chosen_hours }) => {
    const text = String(chosen_hours);
    const isClosed = text === CLOSED;
    const spans = spanFields('', isClosed ? [] : spansOfText(text));
    return { date, note, kind: isClosed ? CLOSED : 'hours', ...spans, chosen_hours: undefined };
  },
};

/**
 * The form for a date as it is; as it was sent; or by both people's hours, where somebody else was
 * faster with this date.
 */
function dateState(sent: FormState, { record, etag = '', editedDate = '' }: DateForm): FormState {
  const date = textOf(sent, 'date') || editedDate;
  const there = record?.exceptions.find((exception) => exception.date === date);
  // A date that has no hours of its own takes those that were entered; one that the form was not drawn for is
  // compared as new.
  const values = isSent(sent) && !there ? sent.values : valuesOf(there, date);
  const drawn = drawnText(BY_DATE.toCompared(valuesOf(undefined, date)));
  const isDrawn = drawnOf(textOf(sent, 'drawn')).date === date;
  const entered = isSent(sent) && !isDrawn ? { ...sent, values: { ...sent.values, drawn } } : sent;
  return recordState(entered, record ? { etag, values } : null, BY_DATE);
}

export function exceptionForm(context: PageContext, sent: FormState, options: DateForm): Html | false {
  const { base, record, region, editedDate = '', name } = options;
  if (!mayUse(context, 'POST', base)) return false;
  const edited = record?.exceptions.find(({ date }) => date === editedDate);
  const state = dateState(sent, options);
  const isChosen = state.values.chosen_hours !== undefined;
  const form = isChosen
    ? { ...state, values: { ...state.values, ...BY_DATE.toFields(BY_DATE.toCompared(state.values)) } }
    : state;
  const choice = clashChoice(form, { name: 'chosen_hours', label: 'Hours' }, (text) =>
    text === CLOSED ? (name === null ? 'closed' : 'off') : spansText(region, spansOfText(text)),
  );
  const spans = spansOf(form.values);
  const rows = [
    ...spans,
    ...Array.from({ length: Math.max(0, ROWS - spans.length) }, () => ({ start: '', end: '' })),
  ];
  const isWrong = form.faults.hours !== undefined;
  return html`<details class="adding"${(isSent(sent) || edited) && html` open`}>
<summary>${edited ? 'Change the date' : 'Add a date'}</summary>
${recordForm(context, form, {
  action: `${base}/exceptions`,
  id: 'exception-form',
  isRecord: true,
  submit: 'Save date',
  body: html`${dateInput(form, { name: 'date', label: 'Date' })}
${
  choice ??
  html`${radioGroup(form, {
    name: 'kind',
    label: name === null ? 'The business is' : 'On that day',
    choices: [
      { value: 'hours', label: name === null ? 'open at different hours' : 'different hours' },
      { value: 'closed', label: name === null ? 'closed all day' : 'off all day' },
    ],
  })}
<fieldset class="day spans-of-date"${describedBy(form, HOURS)}><legend>Hours</legend><div class="stretches">
${rows.map((span, index) =>
  stretch(region, { prefix: '', span, number: index + 1, of: 'That date', isWrong: isWrong && index === 0 }),
)}
${fieldErrors(form, HOURS)}</div></fieldset>`
}
${inputField(form, {
  name: 'note',
  id: 'exception-note',
  label: 'Note',
  isOptional: true,
  maxLength: MAX_LENGTH.calendarNote,
  placeholder: 'Christmas Eve',
})}`,
})}</details>`;
}
