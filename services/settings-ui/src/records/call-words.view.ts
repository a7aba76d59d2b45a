import type {
  CallDirection,
  CallListEntry,
  CallOutcome,
  CallProviderName,
  CallSentiment,
} from '@frontdesk/contracts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { visibleText } from '../ui/visible-text.ts';

interface ProviderWords {
  name: string;
  /** Which it is, to choose it by. */
  about: string;
  /** What is done with the address and the secret there. */
  setUp: Html;
  /** What its secret is; null where one is made here. */
  secret: string | null;
}

export const PROVIDER_WORDS: Readonly<Record<CallProviderName, ProviderWords>> = {
  generic: {
    name: 'Generic',
    about: 'Your own phone system or agent, which posts Frontdesk’s message format when a call ends.',
    setUp: html`Have your system post a message to this address when a call ends, signed with the secret as described by
<a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>.`,
    secret: null,
  },
  vapi: {
    name: 'Vapi',
    about: 'Vapi voice agents. Vapi sends a report when a call ends.',
    setUp: html`In Vapi, add a Custom Credential of type Bearer Token with the secret.
Set this address, with that credential, as the server URL of the assistant, phone number or organisation,
and turn on only <code>end-of-call-report</code> in the server messages.`,
    secret: null,
  },
  retell: {
    name: 'Retell',
    about: 'Retell voice agents. Have your API key ready: the one with the webhook badge.',
    setUp: html`In Retell, set this address as the webhook URL of the agent or account, with the events
<code>call_ended</code> and <code>call_analyzed</code>. It signs with its own API key, which is the secret here.`,
    secret: 'Your Retell API key, the one with the webhook badge',
  },
  twilio: {
    name: 'Twilio',
    about: 'Twilio phone numbers. Have your account’s auth token ready.',
    setUp: html`In Twilio, set this address, exactly as shown, as the status callback of the number or the call,
using POST, with at least the event <code>completed</code>. You can use it as the callback for recordings and
transcriptions too. Twilio signs with your auth token, which is the secret here.`,
    secret: 'Your account’s auth token',
  },
};

export const OUTCOME_WORDS: Readonly<Record<CallOutcome, string>> = {
  booked: 'Booked',
  rescheduled: 'Rescheduled',
  cancelled: 'Cancelled',
  inquiry: 'Inquiry',
  transferred: 'Transferred',
  voicemail: 'Voicemail',
  no_answer: 'No answer',
  failed: 'Failed',
  other: 'Other',
};

const SENTIMENTS = {
  positive: () => badge('good', 'Positive'),
  neutral: () => badge('off', 'Neutral'),
  negative: () => badge('bad', 'Negative'),
};

export const sentimentBadge = (sentiment: CallSentiment): Html => SENTIMENTS[sentiment]();

const OUTCOME_TONES: Partial<Record<CallOutcome, Parameters<typeof badge>[0]>> = {
  booked: 'good',
  rescheduled: 'good',
  failed: 'bad',
};

type Ending = Pick<CallListEntry, 'direction' | 'missed' | 'outcome'>;

/**
 * The API calls both missed. At the desk that is a caller whom nobody answered; who didn't answer us is another matter.
 */
export const UNANSWERED_WORDS: Readonly<Record<CallDirection, string>> = {
  inbound: 'Missed',
  outbound: 'No answer',
};

/** What came of a call; that it was unanswered goes before. */
export const outcomeWords = ({ direction, missed, outcome }: Ending): string =>
  missed ? UNANSWERED_WORDS[direction] : OUTCOME_WORDS[outcome];

/** What else the outcome says of an unanswered call; null where that is nothing. */
export function outcomeBeside(call: Ending): string | null {
  const { missed, outcome } = call;
  const words = OUTCOME_WORDS[outcome];
  return missed && outcome !== 'other' && words !== outcomeWords(call) ? words : null;
}

export function outcomeBadge(call: Ending): Html {
  const { direction, missed, outcome } = call;
  const unansweredTone = direction === 'inbound' ? 'bad' : 'off';
  return badge(missed ? unansweredTone : (OUTCOME_TONES[outcome] ?? 'off'), outcomeWords(call));
}

type Parties = Pick<CallListEntry, 'direction' | 'from_number' | 'to_number' | 'customer_id'>;

/** The other party's number; null if it is hidden. */
export const numberOf = ({ direction, from_number, to_number }: Parties): string | null =>
  direction === 'inbound' ? from_number : to_number;

/** The same as text for a line; null where it is hidden. */
export function numberText(region: Region, call: Parties): string | null {
  const number = numberOf(call);
  return number === null ? null : visibleText(phoneText(region, number));
}

/** Who it is: by name, else by number. `names` are those of customers by id, null where crm can't say. */
export function callerName(region: Region, call: Parties, names: ReadonlyMap<number, string> | null): string {
  const name = call.customer_id === null ? undefined : names?.get(call.customer_id);
  return name ?? numberText(region, call) ?? 'Hidden number';
}
