import type { CallMessage, CallSource } from '@frontdesk/contracts';
import { callsFrame } from '../calls/calls-page.view.ts';
import { SOURCES, sourceAddress } from '../records/addresses.rules.ts';
import { PROVIDER_WORDS } from '../records/call-words.view.ts';
import { namesOf } from '../records/names.rules.ts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { Region } from '../region/region.rules.ts';
import { badge, copyable, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { barePanel, panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { messageTable } from './call-messages.view.ts';
import { addSourceForm } from './call-source-form.view.ts';
import type { LoadedSources } from './load-call-sources.ts';
import { lastRefusal, refusedBadge, refusedLately } from './refused-messages.view.ts';

export function callSourcesPage(
  context: PageContext,
  { loaded, form }: { loaded: LoadedSources; form: FormState },
): string {
  const { region, sources, quotas, unreadable } = loaded;
  return callsFrame(context, {
    title: 'Call sources',
    part: SOURCES,
    body: html`${barePanel(
      'Call sources',
      html`<p>Each phone line, voice agent or account that sends its calls to Frontdesk, with its own address and secret.
Times are in ${region.zone}.</p>
${sources === null ? unavailable('The sources') : list(sources, loaded)}
${quotaLine(region, quotas.sources)}${unlessFull(
  quotas.sources,
  addSourceForm(context, form, { isOpen: sources?.length === 0 }),
  form,
)}
${quotaLine(region, quotas.messages)}${quotaLine(region, quotas.bytes)}`,
    )}
${unreadable !== null && unreadable.length > 0 && unreadCard(unreadable, loaded)}`,
  });
}

const list = (sources: CallSource[], loaded: LoadedSources): Html =>
  sources.length === 0
    ? html`<p class="empty">No sources yet. Add one below, then give its address and secret to your provider:
its calls appear as they end.</p>`
    : html`<ul class="endpoints">${sources.map((source) => item(source, loaded))}</ul>`;

export const sourceState = ({ is_active }: CallSource): Html =>
  is_active ? badge('good', 'Active') : badge('off', 'Paused');

function item(source: CallSource, { region, unreadable }: LoadedSources): Html {
  const { id, name, provider, ingest_url } = source;
  const refusal = lastRefusal(source, region);
  const unread = unreadable?.filter(({ source_id }) => source_id === id).length ?? 0;
  return html`<li><div class="heading"><h2><a href="${sourceAddress(id)}">${name}</a></h2>
<span class="hint">${PROVIDER_WORDS[provider].name}</span>${sourceState(source)}
${refusedBadge(source)}${unread > 0 && badge('bad', `${unread} unreadable`)}</div>
${copyable(`the address of ${name}`, ingest_url)}
<p class="hint">${lastMessage(source, region)}</p>${refusal && notice('bad', html`${refusal}`)}
<div class="actions">
<a class="button quiet"
href="${sourceAddress(id)}">Set up and test<span class="for-reader"> ${name}</span></a></div></li>`;
}

/** Tests are shown only as long as nothing else has come in. */
function lastMessage(source: CallSource, region: Region): Html {
  const { last_message_at, last_test_at } = source;
  if (last_message_at !== null) return html`Last message ${timeIn(region, last_message_at)}`;
  if (refusedLately(source).length > 0) return html`No message has been taken yet`;
  if (last_test_at === null) return html`No messages yet`;
  return html`No real call has come in yet; last test ${timeIn(region, last_test_at)}`;
}

function unreadCard(messages: CallMessage[], { sources, region }: LoadedSources): Html {
  const names = namesOf(sources);
  const nameOf = (id: number) => names.get(id) ?? `Deleted source ${id}`;
  return panel({
    id: 'unread',
    title: 'Unreadable messages',
    body: html`<p>Kept as they came in, newest first. Their calls are missing unless another message reported them.</p>
${messageTable(messages, { region, nameOf: sources === null ? (id) => `Source ${id}` : nameOf })}`,
  });
}
