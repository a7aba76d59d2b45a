import type { CallOutcome, CallProviderName } from '@frontdesk/contracts';
import { type Html, html } from '../shared/html.ts';

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
    about: 'A telephone system or agent of your own that posts Frontdesk’s message when a call has ended.',
    setUp: html`Let your system post a message to the address when a call has ended, signed with the secret as <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a> prescribe.`,
    secret: null,
  },
  vapi: {
    name: 'Vapi',
    about: 'Voice agents of Vapi. It sends a report when a call has ended.',
    setUp: html`In Vapi, add a Custom Credential of the kind Bearer Token with the secret. Set the address, with that credential, as the server URL of the assistant, number or organisation, and turn on <code>end-of-call-report</code> alone among the server messages.`,
    secret: null,
  },
  retell: {
    name: 'Retell',
    about: 'Voice agents of Retell. Have its API key at hand: the one that bears the webhook badge.',
    setUp: html`In Retell, set the address as the webhook URL of the agent or account, with the events <code>call_ended</code> and <code>call_analyzed</code>. It signs with its own API key, which is the secret here.`,
    secret: 'Your Retell API key, the one that bears the webhook badge',
  },
  twilio: {
    name: 'Twilio',
    about: 'Phone numbers of Twilio. Have your account’s auth token at hand.',
    setUp: html`In Twilio, set the address, exactly as it stands here, as the status callback of the number or the call, by POST, with at least the event <code>completed</code>. It may be the recording’s and the transcription’s callback too. Twilio signs with your auth token, which is the secret here.`,
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

export const sourceAddress = (id: number): string => `/settings/calls/sources/${id}`;
export const messageAddress = (id: number): string => `/settings/calls/messages/${id}`;
