import { SOURCES } from '../records/addresses.rules.ts';
import { type Html, html } from '../ui/html.ts';
import { card } from '../ui/panel.view.ts';
import type { FirstStep, FirstStepName } from './first-steps.rules.ts';

const WORDS: Readonly<Record<FirstStepName, { href: string; what: string; why: string }>> = {
  opening_hours: {
    href: '/settings/business/opening-hours',
    what: 'Enter your opening hours',
    why: 'They decide which times can be booked.',
  },
  service: {
    href: '/settings/business/services/new',
    what: 'Add a service',
    why: 'What customers book, how long it takes and what it costs.',
  },
  staff: {
    href: '/settings/business/staff/new',
    what: 'Add your staff',
    why: 'Each with their own calendar. Alone, you need none.',
  },
  booking_policy: {
    href: '/settings/business#booking',
    what: 'Choose what may be booked',
    why: 'Only the times that are offered, or any free time, also for your website and phone agent.',
  },
  appointment: {
    href: '/settings/calendar/book',
    what: 'Book the first appointment',
    why: 'Yourself, or through your website or phone agent.',
  },
  call_source: {
    href: SOURCES,
    what: 'Connect your phone',
    why: 'A voice agent or a phone line: every call is listed, and nobody who was missed is forgotten.',
  },
  colleague: {
    href: '/settings/people',
    what: 'Invite a colleague',
    why: 'Everybody signs in with their own email.',
  },
  program: {
    href: '/settings/api',
    what: 'Connect a program',
    why: 'An API key for your website, or a webhook that tells your systems of every booking.',
  },
};

/** What a new business does next, with ticks. It goes once the business takes bookings. */
export function firstStepsCard(steps: readonly FirstStep[]): Html {
  const done = steps.filter((step) => step.done).length;
  return card({
    id: 'first-steps',
    title: 'First steps',
    isWide: true,
    figure: { value: String(done), of: `of ${steps.length} done` },
    body: html`<ol class="to-do">${steps.map(row)}</ol>`,
  });
}

function row({ step, done, optional }: FirstStep): Html {
  const { href, what, why } = WORDS[step];
  return html`<li${done && html` class="is-done"`}>
<a href="${href}">${tick()}<span class="what"><span class="for-reader">${done ? 'Done: ' : 'To do: '}</span>${what}${
    !done && html` <span class="hint">${why}${optional && ' Optional.'}</span>`
  }</span></a></li>`;
}

const tick = () =>
  html`<svg class="tick" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/>
<path d="m7.5 12.5 3 3 6-6.5"/></svg>`;
