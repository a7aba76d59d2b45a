import { shortLine } from '../mail/plain-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { addressOf } from '../ui/addresses.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { pager } from '../ui/pager.view.ts';
import { barePanel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { AUDIT_ACTIONS, type AuditEntry, MOST_ADDRESSES } from './audit.rules.ts';
import { auditSubject } from './audit-subject.ts';

const AUDIT = '/settings/audit';
/** In characters: longer subjects unfold, and show so much before. */
const MOST_OF_SUBJECT = 40;
const START_OF_SUBJECT = 28;
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
    body: barePanel(
      'Entries',
      html`${entries.length === 0 ? nothing(isFirst) : entryTable(entries, region)}
${pager({
  of: 'entries',
  back: !isFirst && { href: AUDIT, name: 'Newest entries' },
  on: older !== null && { href: addressOf(AUDIT, { before: older }), name: 'Older entries' },
})}
`,
    ),
  });

const nothing = (isFirst: boolean): Html =>
  isFirst
    ? html`<p class="empty">Nothing has been changed yet. Every sign-in and every change will be listed here.</p>`
    : html`<p class="empty">There are no older entries.</p>`;

const entryTable = (entries: AuditEntry[], region: Region): Html =>
  table({
    rows: entries,
    columns: [
      { name: 'When', cell: ({ at }) => timeIn(region, at) },
      { name: 'Who', look: 'actor', cell: ({ actor }) => actor },
      {
        name: 'What',
        cell: (entry) =>
          html`<div>${actionOf(entry, region)}${timesOf(entry, region)}${recordsOf(entry, region)}${exportedBy(entry, region)}</div>`,
      },
      { name: 'From', look: 'line', cell: (entry) => addressesOf(entry, region) },
      {
        name: 'Outcome',
        cell: (entry) => html`<div>${OUTCOMES[entry.outcome]()}${outcomesOf(entry, region)}</div>`,
      },
    ],
  });

/** What was done to what. A subject that is longer than a line unfolds. */
function actionOf(entry: AuditEntry, region: Region): Html {
  const { action, subject, actor } = entry;
  const words = AUDIT_ACTIONS[action];
  if (subject === '' || subject === actor) return html`${words}`;
  const all = auditSubject(region, entry);
  if (subject.length <= MOST_OF_SUBJECT) return html`${words}<br><span class="hint">${all}</span>`;
  return html`<details><summary>${words}<br><span class="hint">${shortLine(subject, START_OF_SUBJECT)}</span></summary>
<p class="hint">${all}</p></details>`;
}

/** How often it happened, of an entry that stands for all of that. */
function timesOf({ count, last_at, record_ids }: AuditEntry, region: Region): Html | false {
  if (last_at === null && record_ids === null) return false;
  const latest = last_at && html`, the latest ${timeIn(region, last_at)}`;
  return html`<br><span class="hint">${plural(region, count, 'time')}${latest}</span>`;
}

/** Whose they are is said by the action. The search finds each by its number. */
function recordsOf({ action, record_ids: ids }: AuditEntry, region: Region): Html | false {
  if (ids === null || ids.length === 0) return false;
  const noun = action.startsWith('customer') ? 'customer' : 'appointment';
  return html`<details><summary>${plural(region, ids.length, noun)}</summary>
<p class="hint">${ids.join(', ')}</p></details>`;
}

function exportedBy({ exported_count }: AuditEntry, region: Region): Html | false {
  return (
    exported_count !== null &&
    html`<br><span class="hint">${plural(region, exported_count, 'customer')} in all</span>`
  );
}

/** From where; of an entry that stands for many actions the latest, and the others where there were any. */
function addressesOf({ address, addresses }: AuditEntry, region: Region): Html | string {
  const latest = address ?? 'Command line';
  const others = (addresses ?? []).filter((other) => other !== address);
  if (others.length === 0) return latest;
  const isCut = (addresses ?? []).length >= MOST_ADDRESSES;
  const summary = `${isCut ? 'at least ' : ''}${plural(region, others.length, 'other address', 'other addresses')}`;
  return html`<div>${latest}<details><summary>${summary}</summary>
<p class="hint">${others.join(', ')}</p></details></div>`;
}

/** What came of how many, where that differs. */
function outcomesOf({ count, done_count, refused_count }: AuditEntry, region: Region): Html | false {
  const [done, refused] = [done_count ?? 0, refused_count ?? 0];
  if (done_count === null || done === count || refused === count) return false;
  const parts = [
    [done, 'done'],
    [refused, 'refused'],
    [count - done - refused, 'not confirmed'],
  ] as const;
  const said = parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${countText(region, number)} ${word}`);
  return html`<br><span class="hint">${said.join(', ')}</span>`;
}
