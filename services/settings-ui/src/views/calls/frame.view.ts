import { CALLS, MISSED, SOURCES } from '../../domain/calls/call-addresses.ts';
import { html, type Renderable } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { refusalMessage } from '../shared/parts.ts';

const PARTS = [
  { href: CALLS, name: 'All calls' },
  { href: MISSED, name: 'Missed calls' },
  { href: SOURCES, name: 'Sources' },
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

/** A page of `/settings/calls`, with the way to the others. */
export const callsFrame = (context: PageContext, { title, part, lead, refusal, body }: CallsFrame): string =>
  layout(context, {
    title,
    at: CALLS,
    lead,
    body: html`<nav class="parts" aria-label="Calls"><ul>${PARTS.map(
      ({ href, name }) =>
        html`<li><a href="${href}"${href === part && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul></nav>
${refusalMessage(refusal)}${body}`,
  });
