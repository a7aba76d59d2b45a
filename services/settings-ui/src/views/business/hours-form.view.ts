import { type TimeSpan, WEEKDAYS } from '@frontdesk/contracts';
import type { DraftWeek, Weekday } from '../../domain/business/hours-draft.ts';
import { chosenField, spansOfText } from '../../domain/business/span-text.ts';
import { spansText } from '../../domain/business/week-picture.ts';
import { MOST_OF_TIME, timeText } from '../../domain/shared/read-time.ts';
import type { Region } from '../../domain/shared/region.ts';
import { capitalised } from '../../domain/shared/words.ts';
import { clashChoice, describedBy, fieldErrors } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { recordForm } from './frame.view.ts';

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
    body: html`<input type="hidden" name="is_form" value="true"><div class="days">${WEEKDAYS.map((day) => dayRow(form, day, options))}</div>
<p class="copying"><span class="hint">Same every day?</span>
<button class="quiet" name="do" value="copy-weekdays:monday">Copy Monday to Tue–Fri</button>
<button class="quiet" name="do" value="copy-all:monday">Copy Monday to all days</button></p>
${options.isUnsaved && html`<p class="notice waiting" role="status">Not saved yet.</p>`}`,
  });

function dayRow(form: FormState, day: Weekday, { region, draft, addedTo, off }: HoursForm): Html {
  const spans = draft[day];
  const isWrong = form.errors[day] !== undefined;
  const name = capitalised(day);
  const choice = clashChoice(form, { name: chosenField(day), label: name }, (text) =>
    spansText(region, spansOfText(text)),
  );
  if (choice) return choice;
  return html`<fieldset class="day"${describedBy(form, { name: day })}><legend>${name}</legend>
<div class="stretches">${spans.length === 0 && html`<p class="off">${off}</p>`}${spans.map((span, index) =>
    stretch(region, {
      ...{ prefix: `${day}_`, span, number: index + 1, of: name },
      isWrong,
      isNew: day === addedTo && index === spans.length - 1,
      drop: `drop:${day}:${index}`,
    }),
  )}${fieldErrors(form, { name: day })}</div>
<div class="day-actions"><button class="quiet" name="do" value="add:${day}"><span aria-hidden="true">+ </span><span class="for-reader">Add </span>Hours<span class="for-reader"> on ${name}</span></button>
${spans.length > 0 && html`<button class="quiet" name="do" value="break:${day}"><span aria-hidden="true">+ </span><span class="for-reader">Add </span>Break<span class="for-reader"> on ${name}</span></button>`}</div></fieldset>`;
}

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
    html`<input type="text" name="${prefix}${name}" value="${timeText(region, span[name])}" maxlength="${MOST_OF_TIME}" autocomplete="off" spellcheck="false" data-time aria-label="${label}"${more}>`;
  return html`<p class="stretch">${input('start', nameOf('from'), html`${wrong}${(isNew || isWrong) && html` data-focus`}`)}
<span aria-hidden="true">–</span>
${input('end', nameOf('until'), wrong)}
${drop && html`<button class="quiet drop" name="do" value="${drop}"><span aria-hidden="true">×</span><span class="for-reader">Remove ${of}, ${timeText(region, span.start)}–${timeText(region, span.end)}</span></button>`}</p>`;
}
