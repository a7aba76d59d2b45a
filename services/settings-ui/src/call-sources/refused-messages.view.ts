import {
  type CallRefusal,
  type CallSource,
  MAX_INGEST_BYTES,
  type RefusedMessages,
} from '@frontdesk/contracts';
import { PROVIDER_WORDS } from '../records/call-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';

/** Why messages are refused, and what is to be done about it. */
const REASONS: Readonly<Record<CallRefusal, { what: string; toDo: (source: CallSource) => string }>> = {
  signature_wrong: { what: 'The signature did not match', toDo: sameSecret },
  signature_missing: {
    what: 'The signature is missing',
    toDo: (source) =>
      `turn signing on at ${senderOf(source)}, with the secret shown here. ` +
      'Somebody else who knows the address may have sent it, too.',
  },
  signature_malformed: {
    what: 'The signature has another form',
    toDo: ({ provider }) => `check that messages are signed as ${FORMS[provider]}.`,
  },
  signature_expired: {
    what: 'The message was signed more than five minutes before or after it came',
    toDo: (source) =>
      `check the clock of ${senderOf(source)}. A message that is sent again later needs a new signature.`,
  },
  body_unsigned: {
    what: 'The signature did not cover what the message says',
    toDo: (source) =>
      `have ${senderOf(source)} send a form, or the hash of the body as bodySHA256 in the address.`,
  },
  too_large: {
    what: `The message was larger than ${MAX_INGEST_BYTES / 1024 / 1024} MiB`,
    toDo: () => 'have the provider leave something out.',
  },
  too_many: {
    what: 'Too many messages came within a minute',
    toDo: (source) => `have ${senderOf(source)} send what was refused again, more slowly.`,
  },
  quota_used_up: {
    what: 'Your plan’s call messages of the day were used up',
    toDo: () => 'they are counted anew at midnight UTC.',
  },
  suspended: {
    what: 'Your business was suspended',
    toDo: () => 'messages are taken again once it no longer is.',
  },
};

const FORMS: Readonly<Record<CallSource['provider'], string>> = {
  generic: 'Standard Webhooks describes it',
  vapi: 'the settings below say',
  retell: 'Retell does it by itself',
  twilio: 'Twilio does it by itself',
};

const senderOf = ({ provider }: CallSource): string =>
  provider === 'generic' ? 'your system' : PROVIDER_WORDS[provider].name;

function sameSecret(source: CallSource): string {
  const { provider, secret_last_four } = source;
  const sender = provider === 'generic' ? 'the provider' : senderOf(source);
  const same = `check that the secret at ${sender} is the one shown here, which ends in ${secret_last_four}`;
  return provider === 'twilio' ? `${same}, and that the address there is exactly the one above.` : `${same}.`;
}

/** Of a later release of calls. */
const UNKNOWN = { what: 'The message could not be taken', toDo: () => 'check the settings at the provider.' };
const reasonOf = (reason: string) =>
  Object.hasOwn(REASONS, reason) ? REASONS[reason as CallRefusal] : UNKNOWN;

/** The refusals that no message was taken after: something is still to be done about them. The latest first. */
export const refusedLately = ({ refused = [], last_message_at }: CallSource): RefusedMessages[] =>
  refused.filter(({ last_at }) => last_message_at === null || last_at > last_message_at);

export const refusedBadge = (source: CallSource): Html | false =>
  refusedLately(source).length > 0 && badge('bad', 'Messages refused');

/** The latest refusal as a sentence; null where a message was taken since. */
export function lastRefusal(source: CallSource, region: Region): Html | null {
  const [latest] = refusedLately(source);
  if (!latest) return null;
  const { what, toDo } = reasonOf(latest.reason);
  return html`Last refused ${timeIn(region, latest.last_at)}. ${what}: ${toDo(source)}`;
}

/** Messages that were refused, by the reason, with what is to be done. */
export function refusedMessages(source: CallSource, region: Region): Html | false {
  const { refused = [] } = source;
  if (refused.length === 0) return false;
  return html`<section class="stack" id="refused" aria-labelledby="refused-title">
<h3 id="refused-title">Refused messages</h3>
${
  refusedLately(source).length > 0
    ? notice(
        'bad',
        `${
          source.last_message_at === null
            ? 'All messages that came in were refused.'
            : 'The latest messages were refused.'
        } Their calls are missing, unless the provider sends them again.`,
        { news: `Messages of ${source.name} are refused` },
      )
    : html`<p class="hint">A message was taken since, so this seems to be mended.</p>`
}
${table({
  rows: refused,
  isCompact: true,
  idOf: ({ reason }) => `refused-${reason}`,
  columns: [
    {
      name: 'Reason',
      isName: true,
      cell: ({ reason }) => {
        const { what, toDo } = reasonOf(reason);
        return html`<div>${what}: ${toDo(source)}</div>`;
      },
    },
    {
      name: 'Messages',
      cell: ({ messages, first_at }) =>
        html`<div>${countText(region, messages)}${
          messages > 1 && html`<span class="hint">since ${timeIn(region, first_at)}</span>`
        }</div>`,
    },
    { name: 'Last', cell: ({ last_at }) => timeIn(region, last_at) },
  ],
})}</section>`;
}
