import type { CallMessage, CallSource } from '@frontdesk/contracts';
import { callsFrame } from '../calls/calls-page.view.ts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import { PROVIDER_WORDS } from '../records/call-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import {
  actionButton,
  confirmation,
  copyable,
  onceField,
  postForm,
  unavailable,
} from '../ui/controls.view.ts';
import { inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { barePanel, panel } from '../ui/panel.view.ts';
import { timeOr } from '../ui/times.view.ts';
import { messageTable } from './call-messages.view.ts';
import { settingsForm, settingsState } from './call-source-form.view.ts';
import { sourceState } from './call-sources.view.ts';
import type { LoadedSource } from './load-call-sources.ts';
import { refusedLately, refusedMessages } from './refused-messages.view.ts';
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
  { source, messages, region, justNow }: LoadedSource & { source: CallSource; justNow: SourceJustNow },
): string {
  const { test: made, testForm: form = EMPTY_FORM } = justNow;
  return callsFrame(context, {
    title: source.name,
    part: SOURCES,
    lead: html`${PROVIDER_WORDS[source.provider].name} · <a href="${SOURCES}">All call sources</a>`,
    refusal: justNow.refusal,
    body: html`${addressCard(context, source, justNow)}
${testCallCard(context, { source, made, form, region })}
${panel({
  id: 'settings',
  isPlace: true,
  title: 'Settings',
  body: settingsForm(context, source.id, settingsState(source, justNow.settingsForm)),
})}
${panel({
  id: 'messages',
  isPlace: true,
  title: 'Latest messages',
  body: html`<p>Messages from this source, newest first. Times are in ${region.zone}.</p>
<div data-live="${sourceAddress(source.id)}/live">${sourceMessages({ source, messages, region })}</div>`,
})}`,
  });
}

/** What was sent, while the source itself can't be shown. */
export const sentToSourcePage = (
  context: PageContext,
  id: number,
  { settingsForm: settings, testForm: test }: SourceJustNow,
): string =>
  callsFrame(context, {
    title: 'Call source',
    part: SOURCES,
    lead: html`<a href="${SOURCES}">All call sources</a>`,
    body: barePanel(
      'What you entered',
      html`${unavailable('The call source')}
${settings && settingsForm(context, id, settings)}${test && testCallForm(context, id, test)}`,
    ),
  });

/** What changes by itself: when something came in last, what was refused, and the latest messages. */
export const sourceMessages = ({ source, messages, region }: LoadedSource): Html =>
  messages === null
    ? unavailable('The messages')
    : html`${source && lastTimes(source, region)}${
        source && refusedMessages(source, region)
      }${messageList(source, messages, region)}`;

const lastTimes = ({ last_message_at, last_test_at }: CallSource, region: Region): Html =>
  html`<dl><dt>Last message</dt><dd>${timeOr(region, last_message_at, 'None yet')}</dd>
<dt>Last test</dt><dd>${timeOr(region, last_test_at, 'None yet')}</dd></dl>`;

function messageList(source: CallSource | null, messages: CallMessage[], region: Region): Html {
  const next =
    'Set up the address with your provider, then make a call: its messages appear here once it has ended.';
  const isRefused = source !== null && refusedLately(source).length > 0;
  if (messages.length === 0)
    return html`<p class="empty">${isRefused ? 'No message has been taken yet.' : `No messages yet. ${next}`}</p>`;
  const works = messages.some(({ is_test, status }) => is_test && status === 'applied');
  return html`${
    source?.last_message_at === null &&
    !isRefused &&
    notice('waiting', html`${works && 'The test worked. '}No real call has come in yet. ${next}`)
  }${messageTable(messages, { region })}`;
}

function addressCard(context: PageContext, source: CallSource, justNow: SourceJustNow): Html {
  const { provider, ingest_url, secret_last_four, is_active } = source;
  return panel({
    id: 'address',
    title: 'Address and secret',
    beside: sourceState(source),
    body: html`${justNow.secret !== undefined && secretPanel(source, justNow.secret)}
<p>${PROVIDER_WORDS[provider].setUp}</p>
${copyable('the address', ingest_url)}
<dl><dt>Secret</dt><dd><code>…${secret_last_four}</code></dd></dl>
${
  !is_active &&
  notice('waiting', 'Paused: messages to this address are refused, and most providers don’t send them again.')
}
<div class="actions">${
      is_active
        ? pause(context, source)
        : actionButton(context, {
            action: `${sourceAddress(source.id)}/resume`,
            name: 'Resume',
            of: source.name,
          })
    }
${PROVIDER_WORDS[provider].secret === null && rotation(context, source)}${deletion(context, source)}</div>
${
  PROVIDER_WORDS[provider].secret !== null && ownSecretForm(context, source, justNow.rotateForm ?? EMPTY_FORM)
}`,
  });
}

/** A secret of the provider's own is known there already. */
const secretPanel = ({ provider, name }: CallSource, secret: string): Html =>
  PROVIDER_WORDS[provider].secret === null
    ? notice(
        'good',
        html`<p><strong>The secret for “${name}”.</strong> Copy it now: it won’t be shown again.</p>
${copyable('the secret', secret)}`,
        { role: 'status', isAnswer: true, look: 'once' },
      )
    : notice('good', `The secret for “${name}” is saved. It won’t be shown again.`, {
        role: 'status',
        isAnswer: true,
      });

const pause = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    id: 'pause',
    button: 'Pause',
    of: name,
    title: `Pause “${name}”?`,
    text:
      'While it is paused, messages to its address are refused. ' +
      'Most providers don’t send them again, so those calls are lost.',
    action: `${sourceAddress(id)}/pause`,
    confirm: 'Pause source',
    isHarmless: true,
  });

const rotation = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    id: 'rotate',
    button: 'Replace secret',
    of: `of ${name}`,
    title: 'Replace the secret?',
    text:
      'You get a new secret. The old one stops working at once: ' +
      'messages signed with it are refused until your provider has the new one.',
    action: `${sourceAddress(id)}/rotate`,
    confirm: 'Replace secret',
    fields: onceField(context),
  });

const deletion = (context: PageContext, { id, name }: CallSource): Html =>
  confirmation(context, {
    id: 'delete',
    button: 'Delete',
    of: name,
    title: `Delete “${name}”?`,
    text: 'Its address stops working. Its calls stay. This can’t be undone.',
    action: `${sourceAddress(id)}/delete`,
    confirm: 'Delete source',
  });

function ownSecretForm(context: PageContext, { id, provider }: CallSource, form: FormState): Html {
  return html`<details class="adding"${isSent(form) && html` open`}><summary>Replace the secret</summary>
${postForm(context, {
  action: `${sourceAddress(id)}/rotate`,
  look: 'stack short',
  state: form,
  isOnce: true,
  body: html`<p class="hint">The old secret stops working here at once, as it does at ${PROVIDER_WORDS[provider].name}.</p>
${inputField(form, { name: 'secret', label: PROVIDER_WORDS[provider].secret ?? '', type: 'password' })}
<div class="actions"><button type="submit" class="primary">Replace secret</button></div>`,
})}</details>`;
}
