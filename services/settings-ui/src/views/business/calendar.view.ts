import {
  comparedDays,
  draftErrors,
  draftOfForm,
  draftOfHours,
  fieldsOfDraft,
  hoursOfDraft,
} from '../../domain/business/hours-draft.ts';
import { type Html, html } from '../shared/html.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import type { CalendarCards, CalendarOptions } from './calendar-cards.ts';
import { conflictList } from './conflicts.view.ts';
import { exceptionForm, exceptionsCard } from './exceptions.view.ts';
import { followButton, followedHours } from './followed-hours.view.ts';
import { hoursForm } from './hours-form.view.ts';
import { type FieldShape, recordState } from './record-state.ts';
import { timeOffCard, timeOffForm } from './time-off.view.ts';
import { weekFigure } from './week.view.ts';

export function calendarCards(context: PageContext, cards: CalendarCards): Html {
  const { calendar, entries, note } = cards;
  if (calendar === null)
    return html`<section class="card" aria-label="Calendar">${unavailable('The calendar')}${entered(context, cards)}</section>`;
  const { record, etag } = calendar;
  const options = { ...cards, record, etag };
  return html`<section class="card" id="hours" aria-labelledby="hours-title"><h2 id="hours-title">Weekly hours</h2>
${note}${conflictList('hours', cards.conflicts, record.exceptions)}${hoursCard(context, options)}</section>
<div class="pair">${exceptionsCard(context, entries.exception ?? EMPTY_FORM, options)}
${timeOffCard(context, entries.timeOff ?? EMPTY_FORM, options)}</div>`;
}

/** The form as sent, while the existing entries are unknown. */
function entered(context: PageContext, { base, name, region, entries }: CalendarCards): Html {
  const { hours, exception, timeOff } = entries;
  const options = { base, name, region };
  const off = offWord(name);
  return html`${hours && hoursForm(context, recordState(hours.form, null), { ...options, draft: draftOf(hours), isUnsaved: true, off })}
${exception && exceptionForm(context, exception, options)}${timeOff && timeOffForm(context, timeOff, options)}`;
}

/** Two people's hours are compared by day. */
const BY_DAY: FieldShape = {
  toCompared: (values) => comparedDays(draftOfForm(values)),
  toFields: (values) => fieldsOfDraft(draftOfForm(values)),
};

const draftOf = ({ form, draft }: NonNullable<CalendarCards['entries']['hours']>) =>
  draft ?? draftOfForm(form.values);

const offWord = (name: string | null) => (name === null ? 'Closed' : 'Off');

const hoursCard = (context: PageContext, options: CalendarOptions): Html =>
  options.followed && options.entries.hours === undefined
    ? followedHours(context, savedHours(options), { ...options, followed: options.followed })
    : html`${hoursParts(context, options)}${options.name !== null && !options.followed && followButton(context, options)}`;

/** The form of the hours in which somebody works, their own or the business's, or as they were sent. */
function savedHours({ record, etag, followed }: CalendarOptions, sent = EMPTY_FORM): FormState {
  const worked = followed?.opening ?? record.hours;
  return recordState(sent, { etag, values: fieldsOfDraft(draftOfHours(worked)) }, BY_DAY);
}

function hoursParts(context: PageContext, options: CalendarOptions): Html {
  const { base, record, region, entries, name, isUnused } = options;
  const { hours } = entries;
  const form = savedHours(options, hours?.form);
  const draft = hours?.draft ?? draftOfForm(form.values);
  const isReadable = Object.keys(draftErrors(draft)).length === 0;
  const isEmpty = Object.values(draft).every((spans) => spans.length === 0);
  const isUnsaved = hours !== undefined;
  const off = offWord(name);
  const caption = isUnsaved && isReadable ? 'As entered, not saved yet' : 'As saved';
  return html`${isEmpty && !isUnused && html`<p class="empty">${name === null ? 'No opening hours yet.' : `No hours yet, so nobody can book ${name}.`} Add hours on Monday, copy them to the other days, and save.</p>`}
<div class="hours">${weekFigure(region, isReadable ? hoursOfDraft(draft) : record.hours, { caption, off })}
${hoursForm(context, form, { base, region, draft, addedTo: hours?.addedTo, isUnsaved, off })}</div>`;
}
