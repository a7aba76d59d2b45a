import { AUDIT_ACTIONS, type AuditEntry } from '../../domain/audit.ts';
import { addressOf } from '../../domain/shared/addresses.ts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { pager } from '../shared/pager.view.ts';
import { badge } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import { auditSubject } from './audit-subject.ts';

const AUDIT = '/settings/audit';
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
    at: AUDIT,
    lead: `Who changed what, when, and from where. Times are in ${region.zone}.`,
    body: html`<section class="card" aria-label="Entries">
${entries.length === 0 ? nothing(isFirst) : table(entries, region)}
${pager({
  of: 'entries',
  back: !isFirst && { href: AUDIT, name: 'Newest entries' },
  on: older !== null && { href: addressOf(AUDIT, { before: older }), name: 'Older entries' },
})}
</section>`,
  });

const nothing = (isFirst: boolean): Html =>
  isFirst
    ? html`<p class="empty">Nothing has been changed yet. Every sign-in and every change will be listed here.</p>`
    : html`<p class="empty">There are no older entries.</p>`;

const table = (entries: AuditEntry[], region: Region): Html =>
  html`<table class="list"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col">Outcome</th></tr></thead>
<tbody>${entries.map(
    (entry) => html`<tr>
<td data-label="When">${timeIn(region, entry.at)}</td>
<td data-label="Who">${entry.actor}</td>
<td data-label="What"><div>${AUDIT_ACTIONS[entry.action]}${entry.subject !== '' && entry.subject !== entry.actor && html`<br><span class="hint">${auditSubject(region, entry)}</span>`}${entry.last_at && html`<br><span class="hint">${entry.count} times, the latest ${timeIn(region, entry.last_at)}</span>`}</div></td>
<td data-label="From">${entry.address ?? 'Command line'}</td>
<td data-label="Outcome">${OUTCOMES[entry.outcome]()}</td></tr>`,
  )}</tbody></table>`;
