import type { ApiKey } from '@frontdesk/contracts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import { dateIn, dayAndYear } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { badge, confirmation, copyable, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn, timeOr } from '../ui/times.view.ts';
import { newKeyForm } from './key-form.view.ts';
import { keyStatus } from './key-status.rules.ts';

export interface MadeKey {
  name: string;
  key: string;
}

interface KeysCard {
  keys: ApiKey[] | null;
  made: MadeKey | undefined;
  quota: QuotaUse | null;
  form: FormState;
  region: Region;
  /** The gateway, as integrators reach it. */
  publicUrl: string;
}

export const keysCard = (context: PageContext, card: KeysCard): Html =>
  panel({
    id: 'keys',
    isPlace: true,
    title: 'API keys',
    body: html`<p>A program uses an API key to reach this business’s data. Give each program a key of its own that can do only what the program needs.</p>
${card.made && madePanel(card.made, card.publicUrl)}
${card.keys === null ? unavailable('The keys') : list(context, card.keys, card.region)}
${quotaLine(card.region, card.quota)}${unlessFull(
  card.quota,
  newKeyForm(context, card.form, { region: card.region, isOpen: card.keys?.length === 0 }),
  card.form,
)}`,
  });

function madePanel({ name, key }: MadeKey, publicUrl: string): Html {
  const curl = `curl -H 'Authorization: Bearer ${key}' ${publicUrl}/api/v1/business`;
  return notice(
    'good',
    html`<p><strong>The key “${name}” is ready.</strong> Copy it now: it won’t be shown again.</p>
${copyable('the key', key)}<p>Try it in a terminal:</p>${copyable('the command', curl)}
<p>For the examples in the <a href="/settings/api/docs">documentation</a>, set it first:</p>${copyable(
      'the command that sets the key',
      `export FRONTDESK_KEY='${key}'`,
    )}`,
    { role: 'status', isAnswer: true, look: 'once' },
  );
}

function list(context: PageContext, keys: ApiKey[], region: Region): Html {
  if (keys.length === 0)
    return html`<p class="empty">No keys yet. Create one below; your program sends it with every request.</p>`;
  return table({
    rows: keys,
    columns: [
      {
        name: 'Name',
        isName: true,
        cell: ({ id, name }) => html`<a href="/settings/api/keys/${id}">${name}</a>`,
      },
      { name: 'Key', cell: ({ last_four }) => html`<code>fd_live_…${last_four}</code>` },
      { name: 'Status', cell: (key) => statusBadge(key, region, Date.now()) },
      { name: 'Last used', cell: ({ last_used_at }) => timeOr(region, last_used_at, 'Never') },
      { name: 'Created', cell: ({ created_at }) => timeIn(region, created_at) },
    ],
    buttons: {
      name: 'Actions',
      cell: ({ id, name, is_active }) =>
        html`${is_active && keyRevocation(context, id, name)}${keyDeletion(context, id, name)}`,
    },
  });
}

/** How a key is, in a word or two. */
export function statusBadge(key: ApiKey, region: Region, nowMs: number): Html {
  switch (keyStatus(key, nowMs)) {
    case 'active':
      return badge('good', 'Active');
    case 'expiring':
      return badge('good', `Expires on ${dayAndYear(region, dateIn(region.zone, key.expires_at ?? nowMs))}`);
    case 'expired':
      return badge('off', 'Expired');
    case 'replaced':
      return badge('waiting', 'Replaced');
    case 'revoked':
      return badge('off', 'Revoked');
  }
}

export const keyRevocation = (context: PageContext, id: number, name: string): Html =>
  confirmation(context, {
    id: `revoke-${id}`,
    button: 'Revoke',
    of: `the key ${name}`,
    title: `Revoke “${name}”?`,
    text: 'Requests with this key are refused from then on. This can’t be undone.',
    action: `/settings/api/keys/${id}/revoke`,
    confirm: 'Revoke key',
  });

export const keyDeletion = (context: PageContext, id: number, name: string): Html =>
  confirmation(context, {
    id: `delete-${id}`,
    button: 'Delete',
    of: `the key ${name}`,
    title: `Delete “${name}”?`,
    text: 'Requests with this key are refused from then on, and it disappears from this list. This can’t be undone.',
    action: `/settings/api/keys/${id}/delete`,
    confirm: 'Delete key',
  });
