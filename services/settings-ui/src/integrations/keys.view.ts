import { type ApiKey, MAX_LENGTH } from '@frontdesk/contracts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { badge, confirmation, copyable, postForm, unavailable } from '../ui/controls.view.ts';
import { inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn, timeOr } from '../ui/times.view.ts';

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
    body: html`<p>A key gives a program access to all of this business’s data. Give each program its own key.</p>
${card.made && madePanel(card.made, card.publicUrl)}
${card.keys === null ? unavailable('The keys') : list(context, card.keys, card.region)}
${quotaLine(card.region, card.quota)}${unlessFull(card.quota, keyForm(context, card.form), card.form)}`,
  });

const keyForm = (context: PageContext, form: FormState): Html =>
  postForm(context, {
    action: '/settings/api/keys',
    look: 'row',
    label: 'Create a key',
    state: form,
    isOnce: true,
    body: html`${inputField(form, { name: 'name', label: 'Name of a new key', placeholder: 'Website', maxLength: MAX_LENGTH.keyName })}
<button type="submit" class="primary">Create key</button>`,
  });

function madePanel({ name, key }: MadeKey, publicUrl: string): Html {
  const curl = `curl -H 'Authorization: Bearer ${key}' ${publicUrl}/api/v1/services`;
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
      { name: 'Name', isName: true, cell: ({ name }) => name },
      { name: 'Key', cell: ({ last_four }) => html`<code>fd_live_…${last_four}</code>` },
      {
        name: 'Status',
        cell: ({ is_active }) => (is_active ? badge('good', 'Active') : badge('off', 'Revoked')),
      },
      { name: 'Last used', cell: ({ last_used_at }) => timeOr(region, last_used_at, 'Never') },
      { name: 'Created', cell: ({ created_at }) => timeIn(region, created_at) },
    ],
    buttons: {
      name: 'Actions',
      cell: ({ id, name, is_active }) =>
        html`${is_active && revocation(context, id, name)}${deletion(context, id, name)}`,
    },
  });
}

const revocation = (context: PageContext, id: number, name: string): Html =>
  confirmation(context, {
    id: `revoke-${id}`,
    button: 'Revoke',
    of: `the key ${name}`,
    title: `Revoke “${name}”?`,
    text: 'Requests with this key are refused from then on. This can’t be undone.',
    action: `/settings/api/keys/${id}/revoke`,
    confirm: 'Revoke key',
  });

const deletion = (context: PageContext, id: number, name: string): Html =>
  confirmation(context, {
    id: `delete-${id}`,
    button: 'Delete',
    of: `the key ${name}`,
    title: `Delete “${name}”?`,
    text: 'Requests with this key are refused from then on, and it disappears from this list. This can’t be undone.',
    action: `/settings/api/keys/${id}/delete`,
    confirm: 'Delete key',
  });
