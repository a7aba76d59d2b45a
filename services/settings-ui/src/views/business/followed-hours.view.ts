import { draftOfHours } from '../../domain/business/hours-draft.ts';
import { hoursInWords } from '../../domain/business/week-picture.ts';
import { type Html, html } from '../shared/html.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { confirmation, unavailable } from '../shared/parts.ts';
import type { CalendarOptions } from './calendar-cards.ts';
import { OPENING_HOURS, versionField } from './frame.view.ts';
import { hoursForm } from './hours-form.view.ts';
import { weekFigure } from './week.view.ts';

type Followed = CalendarOptions & { followed: NonNullable<CalendarOptions['followed']> };

/**
 * The hours of somebody who follows the business's; hours of their own are entered beginning with these. `own` is the form of
 * the latter, as it is drawn with the business's.
 */
export function followedHours(context: PageContext, own: FormState, options: Followed): Html {
  const { base, name, region, followed } = options;
  const { opening } = followed;
  const off = 'Off';
  const isEmpty = opening !== null && hoursInWords(region, opening).length === 0;
  const enter = html`<details class="adding"><summary>Enter different hours</summary>
<p class="hint">Once saved, they apply to ${name} instead of the opening hours.</p>
${hoursForm(context, own, { base, region, draft: draftOfHours(opening ?? {}), isUnsaved: false, off })}</details>`;
  return html`<p>${name} works the business’s <a href="${OPENING_HOURS}">opening hours</a>; changes to them apply here too.</p>
${isEmpty && html`<p class="empty">The business has no opening hours yet, so nobody can book ${name}. <a href="${OPENING_HOURS}#hours">Enter opening hours</a></p>`}
${opening === null && unavailable('The opening hours')}
<div class="hours">${opening !== null && weekFigure(region, opening, { caption: 'Opening hours', off })}
${enter}</div>`;
}

/** From hours of one's own to the business's. */
export const followButton = (
  context: PageContext,
  { base, name, region, record, etag }: CalendarOptions,
): Html => {
  const own = hoursInWords(region, record.hours);
  return html`<p class="actions">${confirmation(context, {
    id: 'follow-hours',
    button: 'Follow the business’s hours',
    of: `for ${name}`,
    title: 'Follow the business’s hours?',
    text: html`${name} will work the opening hours, and changes to them apply here too. ${own.length > 0 && html`The hours entered here, ${own.join(', ')}, are deleted. `}Special hours, time off and appointments stay.`,
    action: `${base}/follow-hours`,
    confirm: 'Follow',
    fields: versionField(etag),
    isHarmless: true,
  })}</p>`;
};
