import { CALLS, MISSED, SOURCES } from '../records/addresses.rules.ts';
import { errorMessage } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';

const PARTS = [
  { href: CALLS, name: 'All calls' },
  { href: MISSED, name: 'Missed calls' },
];

interface CallsFrame {
  title: string;
  /** Which of the parts the page belongs to. */
  part: string;
  lead?: Renderable;
  /** What was wrong with a change that has no form to show it in. */
  refusal?: string | undefined;
  body: Renderable;
}

/** A page of `/settings/calls`, with the way to the others; sources are among the settings. */
export const callsFrame = (context: PageContext, { title, part, lead, refusal, body }: CallsFrame): string =>
  layout(context, {
    title,
    at: part === SOURCES ? SOURCES : CALLS,
    lead,
    body: html`${part !== SOURCES && parts(part)}${errorMessage(refusal)}${body}`,
  });

const parts = (current: string): Html =>
  html`<nav class="parts" aria-label="Calls"><ul>${PARTS.map(
    ({ href, name }) =>
      html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`;
