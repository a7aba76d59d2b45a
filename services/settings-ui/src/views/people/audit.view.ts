import { AUDIT_ACTIONS, type AuditEntry } from '../../domain/audit.ts';
import type { Region } from '../../domain/region.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { badge } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';

const OUTCOMES = {
  done: () => badge('good', 'Done'),
  refused: () => badge('bad', 'Refused'),
  started: () => badge('waiting', 'Not confirmed'),
};

interface AuditPage {
  entries: AuditEntry[];
  region: Region;
  /** The entry before which the next page begins. */
  older: number | null;
  isFirst: boolean;
}

export const auditPage = (context: PageContext, { entries, region, older, isFirst }: AuditPage): string =>
  layout(context, {
    title: 'Audit log',
    at: '/settings/audit',
    lead: `Who changed what, when, and from where. Times are in ${region.zone}.`,
    body: html`<section class="card" aria-label="Entries">
${entries.length === 0 ? nothing(isFirst) : table(entries, region)}
<p class="actions">${!isFirst && html`<a class="button" href="/settings/audit">Newest entries</a>`}${older !== null && html`<a class="button" href="/settings/audit?before=${older}">Older entries</a>`}</p>
</section>`,
  });

const nothing = (isFirst: boolean): Html =>
  isFirst
    ? html`<p class="empty">Nothing has been changed yet. Every sign-in and every change will be listed here.</p>`
    : html`<p class="empty">There are no older entries.</p>`;

const table = (entries: AuditEntry[], region: Region): Html =>
  html`<table class="list"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col">Outcome</th></tr></thead>
<tbody>${entries.map(
    ({ at, actor, address, action, subject, outcome, count, last_at }) => html`<tr>
<td data-label="When">${timeIn(region, at)}</td>
<td data-label="Who">${actor}</td>
<td data-label="What"><div>${AUDIT_ACTIONS[action]}${subject !== '' && subject !== actor && html`<br><span class="hint">${subject}</span>`}${last_at && html`<br><span class="hint">${count} times, the latest ${timeIn(region, last_at)}</span>`}</div></td>
<td data-label="From">${address ?? 'Command line'}</td>
<td data-label="Outcome">${OUTCOMES[outcome]()}</td></tr>`,
  )}</tbody></table>`;
