import { OPENING_HOURS, versionField } from '../records/record-form.view.ts';
import { type FieldShape, recordState } from '../records/record-state.ts';
import { confirmation, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel, panel } from '../ui/panel.view.ts';
import type { CalendarCards, CalendarOptions } from './calendar-cards.ts';
import { conflictList } from './conflicts.view.ts';
import { exceptionForm, exceptionsCard } from './exceptions.view.ts';
import {
  comparedDays,
  draftErrors,
  draftOfForm,
  draftOfHours,
  fieldsOfDraft,
  hoursOfDraft,
} from './hours-draft.rules.ts';
import { hoursForm } from './hours-form.view.ts';
import { timeOffCard, timeOffForm } from './time-off.view.ts';
import { weekFigure } from './week.view.ts';
import { hoursInWords } from './week-picture.rules.ts';

export function calendarCards(context: PageContext, cards: CalendarCards): Html {
  const { calendar, entries, note } = cards;
  if (calendar === null)
    return barePanel('Calendar', html`${unavailable('The calendar')}${entered(context, cards)}`);
  const { record, etag } = calendar;
  const options = { ...cards, record, etag };
  return html`${panel({
    id: 'hours',
    isPlace: true,
    title: 'Weekly hours',
    body: html`${note}${conflictList('hours', cards.conflicts, record.exceptions)}${hoursCard(context, options)}`,
  })}
<div class="pair">${exceptionsCard(context, entries.exception ?? EMPTY_FORM, options)}
${timeOffCard(context, entries.timeOff ?? EMPTY_FORM, options)}</div>`;
}

/** The form as sent, while the existing entries are unknown. */
function entered(context: PageContext, { base, name, region, entries }: CalendarCards): Html {
  const { hours, exception, timeOff } = entries;
  const options = { base, name, region };
  const off = offWord(name);
  return html`${
    hours &&
    hoursForm(context, recordState(hours.form, null), {
      ...options,
      draft: draftOf(hours),
      isUnsaved: true,
      off,
    })
  }
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
    : html`${hoursParts(context, options)}${
        options.name !== null && !options.followed && followButton(context, options)
      }`;

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
  return html`${
    isEmpty &&
    !isUnused &&
    html`<p class="empty">${
      name === null ? 'No opening hours yet.' : `No hours yet, so nobody can book ${name}.`
    }${mayUse(context, 'POST', base) && ' Add hours on Monday, copy them to the other days, and save.'}</p>`
  }
<div class="hours">${weekFigure(region, isReadable ? hoursOfDraft(draft) : record.hours, { caption, off })}
${hoursForm(context, form, { base, region, draft, addedTo: hours?.addedTo, isUnsaved, off })}</div>`;
}

type Followed = CalendarOptions & { followed: NonNullable<CalendarOptions['followed']> };

/**
 * The hours of somebody who follows the business's; hours of their own are entered beginning with these. `own` is the
 * form of the latter, as it is drawn with the business's.
 */
function followedHours(context: PageContext, own: FormState, options: Followed): Html {
  const { base, name, region, followed } = options;
  const { opening } = followed;
  const off = 'Off';
  const isEmpty = opening !== null && hoursInWords(region, opening).length === 0;
  const enter =
    mayUse(context, 'POST', base) &&
    html`<details class="adding"><summary>Enter different hours</summary>
<p class="hint">Once saved, they apply to ${name} instead of the opening hours.</p>
${hoursForm(context, own, { base, region, draft: draftOfHours(opening ?? {}), isUnsaved: false, off })}</details>`;
  return html`<p>${name} works the business’s <a href="${OPENING_HOURS}">opening hours</a>;
changes to them apply here too.</p>
${
  isEmpty &&
  html`<p class="empty">The business has no opening hours yet, so nobody can book ${name}.
${mayUse(context, 'POST', OPENING_HOURS) && html`<a href="${OPENING_HOURS}#hours">Enter opening hours</a>`}</p>`
}
${opening === null && unavailable('The opening hours')}
<div class="hours">${opening !== null && weekFigure(region, opening, { caption: 'Opening hours', off })}
${enter}</div>`;
}

/** From hours of one's own to the business's. */
const followButton = (context: PageContext, { base, name, region, record, etag }: CalendarOptions): Html => {
  const own = hoursInWords(region, record.hours);
  return html`<p class="actions">${confirmation(context, {
    id: 'follow-hours',
    button: 'Follow the business’s hours',
    of: `for ${name}`,
    title: 'Follow the business’s hours?',
    text: html`${name} will work the opening hours, and changes to them apply here too. ${
      own.length > 0 && html`The hours entered here, ${own.join(', ')}, are deleted. `
    }Special hours, time off and appointments stay.`,
    action: `${base}/follow-hours`,
    confirm: 'Follow',
    fields: versionField(etag),
    isHarmless: true,
  })}</p>`;
};
