import type { ApiKey } from '@frontdesk/contracts';
import type { QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import {
  badge,
  confirmation,
  copyable,
  csrfField,
  formMessage,
  onceField,
  unavailable,
} from '../shared/parts.ts';
import { quotaLine, unlessFull } from '../shared/quota.view.ts';
import { timeIn, timeOr } from '../shared/times.ts';

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
  html`<section class="card" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">API keys</h2>
<p>A key gives a program access to all of this business’s data. Give each program its own key.</p>
${card.made && madePanel(card.made, card.publicUrl)}
${card.keys === null ? unavailable('The keys') : list(context, card.keys, card.region)}
${quotaLine(card.region, card.quota)}${unlessFull(card.quota, keyForm(context, card.form), card.form)}</section>`;

const keyForm = (context: PageContext, form: FormState): Html =>
  html`<form method="post" action="/settings/api/keys" data-inline class="row" aria-label="Create a key">
${formMessage(form)}${csrfField(context)}${onceField(context)}
${inputField(form, { name: 'name', label: 'Name of a new key', placeholder: 'Website', maxLength: 100 })}
<button type="submit" class="primary">Create key</button></form>`;

function madePanel({ name, key }: MadeKey, publicUrl: string): Html {
  const curl = `curl -H 'Authorization: Bearer ${key}' ${publicUrl}/api/v1/services`;
  return html`<div class="notice good once" role="status" data-focus tabindex="-1">
<p><strong>The key “${name}” is ready.</strong> Copy it now: it won’t be shown again.</p>
${copyable('the key', key)}<p>Try it in a terminal:</p>${copyable('the command', curl)}
<p>For the examples in the <a href="/settings/api/docs">documentation</a>, set it first:</p>${copyable('the command that sets the key', `export FRONTDESK_KEY='${key}'`)}</div>`;
}

function list(context: PageContext, keys: ApiKey[], region: Region): Html {
  if (keys.length === 0)
    return html`<p class="empty">No keys yet. Create one below; your program sends it with every request.</p>`;
  return html`<table class="list"><thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Status</th><th scope="col">Last used</th><th scope="col">Created</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${keys.map((key) => row(context, key, region))}</tbody></table>`;
}

function row(context: PageContext, key: ApiKey, region: Region): Html {
  const { id, name, last_four, is_active } = key;
  return html`<tr><th scope="row" data-label="Name">${name}</th>
<td data-label="Key"><code>fd_live_…${last_four}</code></td>
<td data-label="Status">${is_active ? badge('good', 'Active') : badge('off', 'Revoked')}</td>
<td data-label="Last used">${timeOr(region, key.last_used_at, 'Never')}</td>
<td data-label="Created">${timeIn(region, key.created_at)}</td>
<td class="actions">${is_active && revocation(context, id, name)}${deletion(context, id, name)}</td></tr>`;
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
