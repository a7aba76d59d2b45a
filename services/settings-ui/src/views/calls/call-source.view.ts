import type { CallSource } from '@frontdesk/contracts';
import type { LoadedSource } from '../../use-cases/load-calls.ts';
import { inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../shared/page-context.ts';
import {
  actionButton,
  confirmation,
  copyable,
  csrfField,
  formMessage,
  onceField,
  refusalMessage,
  unavailable,
} from '../shared/parts.ts';
import { timeOr } from '../shared/times.ts';
import { messageTable } from './call-messages.view.ts';
import { settingsForm, settingsState } from './call-source-form.view.ts';
import { PROVIDER_WORDS, sourceAddress } from './call-words.ts';
import { sourceState } from './calls.view.ts';
import { type MadeTest, testCallCard, testCallForm } from './test-call.view.ts';

/** What a change leaves on the page this once. */
export interface SourceJustNow {
  secret?: string;
  settingsForm?: FormState;
  rotateForm?: FormState;
  testForm?: FormState;
  test?: MadeTest;
  /** What is wrong with a change that has no fields. */
  refusal?: string;
}

export function callSourcePage(
  context: PageContext,
  { source, messages, zone, justNow }: LoadedSource & { source: CallSource; justNow: SourceJustNow },
): string {
  const { test: made, testForm: form = EMPTY_FORM } = justNow;
  return layout(context, {
    title: source.name,
    at: '/settings/calls',
    lead: html`${PROVIDER_WORDS[source.provider].name} · <a href="/settings/calls">All call sources</a>`,
    body: html`${refusalMessage(justNow.refusal)}
${addressCard(context, source, { justNow, zone })}
${testCallCard(context, { source, made, form, zone })}
<section class="card" id="settings" aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
${settingsForm(context, source.id, settingsState(source, justNow.settingsForm))}</section>
<section class="card" id="messages" aria-labelledby="messages-title"><h2 id="messages-title">Latest messages</h2>
<p>What has come in by this source, the newest first. Times are in ${zone}.</p>
${messages === null ? unavailable('The messages') : messageList(messages, zone)}</section>`,
  });
}

/** What was sent, while the source itself can't be shown. */
export const sentToSourcePage = (
  context: PageContext,
  id: number,
  { settingsForm: settings, testForm: test }: SourceJustNow,
): string =>
  layout(context, {
    title: 'Call source',
    at: '/settings/calls',
    lead: html`<a href="/settings/calls">All call sources</a>`,
    body: html`<section class="card" aria-label="What you entered">${unavailable('The call source')}
${settings && settingsForm(context, id, settings)}${test && testCallForm(context, id, test)}</section>`,
  });

const messageList = (messages: NonNullable<LoadedSource['messages']>, zone: string): Html =>
  messages.length === 0
    ? html`<p class="empty">Nothing has come in yet. Set up the address at the other side, call, and <a href="#messages">look here</a> again once the call has ended.</p>`
    : messageTable(messages, { zone });

function addressCard(
  context: PageContext,
  source: CallSource,
  { justNow, zone }: { justNow: SourceJustNow; zone: string },
): Html {
  const { provider, ingest_url, secret_last_four, last_message_at, is_active } = source;
  return html`<section class="card" aria-labelledby="address-title"><div class="heading"><h2 id="address-title">Address and secret</h2>${sourceState(source)}</div>
${justNow.secret !== undefined && secretPanel(source, justNow.secret)}
<p>${PROVIDER_WORDS[provider].setUp}</p>
${copyable('the address', ingest_url)}
<dl><dt>Secret</dt><dd><code>…${secret_last_four}</code></dd><dt>Last message</dt><dd>${timeOr(zone, last_message_at, 'None yet')}</dd></dl>
${!is_active && html`<p class="notice waiting">Paused: what is sent to the address is refused. Most providers don’t send it again.</p>`}
<div class="actions">${is_active ? pause(context, source) : actionButton(context, { action: `${sourceAddress(source.id)}/resume`, name: 'Resume', of: source.name })}
${PROVIDER_WORDS[provider].secret === null && rotation(context, source)}${deletion(context, source)}</div>
${PROVIDER_WORDS[provider].secret !== null && ownSecretForm(context, source, justNow.rotateForm ?? EMPTY_FORM)}</section>`;
}

/** A secret of the provider's own is known there already. */
const secretPanel = ({ provider, name }: CallSource, secret: string): Html =>
  PROVIDER_WORDS[provider].secret === null
    ? html`<div class="notice good once" role="status" data-focus tabindex="-1">
<p><strong>The secret of “${name}”.</strong> Copy it now: it is shown only this once.</p>${copyable('the secret', secret)}</div>`
    : html`<p class="notice good" role="status" data-focus tabindex="-1">The secret of “${name}” is kept, and not shown again.</p>`;

const pause = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    ...{ id: 'pause', button: 'Pause', of: name, title: `Pause “${name}”?` },
    text: 'What is sent to its address meanwhile is refused. Most providers don’t send it again, so those calls are lost.',
    ...{ action: `${sourceAddress(id)}/pause`, confirm: 'Pause source', isHarmless: true },
  });

const rotation = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    ...{ id: 'rotate', button: 'Replace secret', of: `of ${name}`, title: 'Replace the secret?' },
    text: 'You get a new one. The secret before is void at once: what is signed with it is refused until the new one is set at the other side.',
    ...{ action: `${sourceAddress(id)}/rotate`, confirm: 'Replace secret', fields: onceField() },
  });

const deletion = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    ...{ id: 'delete', button: 'Delete', of: name, title: `Delete “${name}”?` },
    text: 'Its address leads nowhere from then on. Its calls stay. That can’t be undone.',
    ...{ action: `${sourceAddress(id)}/delete`, confirm: 'Delete source' },
  });

function ownSecretForm(context: PageContext, { id, provider }: CallSource, form: FormState): Html {
  return html`<details class="adding"${isSent(form) && html` open`}><summary>Replace the secret</summary>
<form method="post" action="${sourceAddress(id)}/rotate" data-inline class="stack short">${formMessage(form)}${csrfField(context)}${onceField()}
<p class="hint">The one before is void at once, as it is at ${PROVIDER_WORDS[provider].name}.</p>
${inputField(form, { name: 'secret', label: PROVIDER_WORDS[provider].secret ?? '', type: 'password' })}
<div class="actions"><button type="submit" class="primary">Replace secret</button></div></form></details>`;
}
