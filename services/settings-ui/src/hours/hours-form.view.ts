import { type TimeSpan, WEEKDAYS } from '@frontdesk/contracts';
import { recordForm } from '../records/record-form.view.ts';
import { MOST_OF_TIME, timeText } from '../region/read-time.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised } from '../region/words.rules.ts';
import { clashChoice, describedBy, fieldErrors } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import type { DraftWeek, Weekday } from './hours-draft.rules.ts';
import { chosenField, spansOfText } from './span-text.rules.ts';
import { spansText } from './week-picture.rules.ts';

interface HoursForm {
  base: string;
  region: Region;
  draft: DraftWeek;
  /** The day whose newest hours people are about to enter. */
  addedTo?: Weekday | undefined;
  isUnsaved: boolean;
  /** What a day without hours is called. */
  off: string;
}

/** The week's hours to be entered. Its buttons change what is entered; only “Save” keeps it. */
export const hoursForm = (context: PageContext, form: FormState, options: HoursForm): Html =>
  recordForm(context, form, {
    action: `${options.base}/hours`,
    id: 'hours-form',
    isRecord: true,
    label: 'Weekly hours',
    hasPreview: true,
    submit: 'Save hours',
    body: html`<input type="hidden" name="is_form" value="true">
<div class="days">${WEEKDAYS.map((day) => dayRow(form, day, options))}</div>
<p class="copying"><span class="hint">Same every day?</span>
<button class="quiet" name="do" value="copy-weekdays:monday">Copy Monday to Tue–Fri</button>
<button class="quiet" name="do" value="copy-all:monday">Copy Monday to all days</button></p>
${options.isUnsaved && notice('waiting', 'Not saved yet.', { role: 'status' })}`,
  });

function dayRow(form: FormState, day: Weekday, { region, draft, addedTo, off }: HoursForm): Html {
  const spans = draft[day];
  const isWrong = form.faults[day] !== undefined;
  const name = capitalised(day);
  const choice = clashChoice(form, { name: chosenField(day), label: name }, (text) =>
    spansText(region, spansOfText(text)),
  );
  if (choice) return choice;
  const addButton = (does: string, what: string) =>
    html`<button class="quiet" name="do" value="${does}:${day}">${ADD}${what}<span
class="for-reader"> on ${name}</span></button>`;
  return html`<fieldset class="day"${describedBy(form, { name: day })}><legend>${name}</legend>
<div class="stretches">${spans.length === 0 && html`<p class="off">${off}</p>`}${spans.map((span, index) =>
    stretch(region, {
      prefix: `${day}_`,
      span,
      number: index + 1,
      of: name,
      isWrong,
      isNew: day === addedTo && index === spans.length - 1,
      drop: `drop:${day}:${index}`,
    }),
  )}${fieldErrors(form, { name: day })}</div>
<div class="day-actions">${addButton('add', 'Hours')}
${spans.length > 0 && addButton('break', 'Break')}</div></fieldset>`;
}

const ADD = html`<span aria-hidden="true">+ </span><span class="for-reader">Add </span>`;

interface Stretch {
  prefix: string;
  span: TimeSpan;
  number: number;
  of: string;
  isWrong?: boolean;
  isNew?: boolean;
  /** What the button that takes it away stands for; without one there is none. */
  drop?: string;
}

/** From and until. */
export function stretch(region: Region, options: Stretch): Html {
  const { prefix, span, number, of, isWrong, isNew, drop } = options;
  const nameOf = (end: string) => `${of}, ${end}${number > 1 ? ` (${number})` : ''}`;
  const wrong = isWrong && html` aria-invalid="true"`;
  const input = (name: 'start' | 'end', label: string, more: Html | false | undefined) =>
    html`<input type="text" name="${prefix}${name}" value="${timeText(region, span[name])}" maxlength="${MOST_OF_TIME}"
autocomplete="off" spellcheck="false" data-time aria-label="${label}"${more}>`;
  const times = `${timeText(region, span.start)}–${timeText(region, span.end)}`;
  const label = html`<span class="for-reader">Remove ${of}, ${times}</span>`;
  return html`<p class="stretch">${input(
    'start',
    nameOf('from'),
    html`${wrong}${(isNew || isWrong) && html` data-focus`}`,
  )}
<span aria-hidden="true">–</span>
${input('end', nameOf('until'), wrong)}
${
  drop &&
  html`<button class="quiet drop" name="do" value="${drop}"><span aria-hidden="true">×</span>${label}</button>`
}</p>`;
}
