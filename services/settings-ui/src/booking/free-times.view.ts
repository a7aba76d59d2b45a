import type { Slot } from '@frontdesk/contracts';
import { addDays, clockText, longDate, weekdayAndDay } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { formatsOf } from '../region/region-formats.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { NextFreeTimes } from './find-free-times.ts';

interface FreeTimesOptions {
  region: Region;
  free: NextFreeTimes | null;
  today: string;
  /** From which date on they are. */
  from: string;
  /** A time that can be chosen; the first one of all gets the focus. */
  timeOf: (slot: Slot, isFirst: boolean) => Html;
  /** The address of the times from a later date on. */
  laterAddress: (date: string) => string;
}

/** The next days with free times, each with its times. */
export function freeTimesList(options: FreeTimesOptions): Html {
  const { region, free, today, from, timeOf, laterAddress } = options;
  if (free === null) return unavailable('The free times');
  const first = free.days[0]?.slots[0];
  return html`${
    free.days.length === 0
      ? html`<p class="empty">No free times from ${longDate(region, from)} on${
          free.next !== null && ` until ${longDate(region, addDays(free.next, -1))}`
        }.</p>`
      : free.days.map(
          ({ date, slots }) =>
            html`<section class="free-day" aria-labelledby="free-${date}">
<h3 id="free-${date}">${dayName(region, date, today)}</h3>
<ul class="times${formatsOf(region).isTwelveHour && ' wider'}">${slots.map(
              (slot) => html`<li>${timeOf(slot, slot === first)}</li>`,
            )}</ul></section>`,
        )
  }
${free.next !== null && html`<p><a class="button" href="${laterAddress(free.next)}">Later days</a></p>`}`;
}

/** `Today, Mon 23 Nov`. */
function dayName(region: Region, date: string, today: string): string {
  const day = weekdayAndDay(region, date);
  if (date === today) return `Today, ${day}`;
  return date === addDays(today, 1) ? `Tomorrow, ${day}` : day;
}

/** Whose times are shown, each a link. */
export const staffChoice = (
  choices: readonly { href: string; name: string; isChosen: boolean }[],
): Html | false =>
  choices.length > 1 &&
  html`<nav class="pills" aria-label="With"><ul>${choices.map(
    ({ href, name, isChosen }) =>
      html`<li><a href="${href}"${isChosen && html` aria-current="true"`}>${name}</a></li>`,
  )}</ul></nav>`;

/** A time that was asked for is not to be had: others are, each a button of the form that asked. */
export const alternativesNotice = (
  alternatives: readonly Slot[],
  { region, name, today, lead }: { region: Region; name: string; today: string; lead: Renderable },
): Html =>
  notice(
    'waiting',
    html`<p>${lead}</p>
${
  alternatives.length > 0 &&
  html`<ul class="times wide">${alternatives.map(
    ({ date, time }) =>
      html`<li><button type="submit"
name="${name}" value="${date}T${time}">${dayName(region, date, today)}, ${clockText(region, time)}</button></li>`,
  )}</ul>`
}`,
    { role: 'alert', isAnswer: true, look: 'stack' },
  );
