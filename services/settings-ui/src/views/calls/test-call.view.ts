import type { CallSource, TestCall } from '@frontdesk/contracts';
import { capitalised } from '../../domain/words.ts';
import { flagInput, inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { csrfField, formMessage } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import { messageAddress, OUTCOME_WORDS, PROVIDER_WORDS, sourceAddress } from './call-words.ts';

/** What came of a test, with the customer's name where it is known. */
export interface MadeTest {
  test: TestCall;
  customerName: string | null;
}

export function testCallCard(
  context: PageContext,
  {
    source,
    made,
    form,
    zone,
  }: { source: CallSource; made: MadeTest | undefined; form: FormState; zone: string },
): Html {
  const provider = PROVIDER_WORDS[source.provider].name;
  return html`<section class="card" id="test" aria-labelledby="test-title"><h2 id="test-title">Test call</h2>
<p>Shows how a message of ${source.provider === 'generic' ? 'your system' : provider} is read, and whose call it would be. Nothing is kept unless you keep the call. Whether the other side is set up right, a real call shows: its messages appear below.</p>
${made && outcomePanel(made, zone)}
${testCallForm(context, source.id, form)}</section>`;
}

export const testCallForm = (context: PageContext, id: number, form: FormState): Html =>
  html`<form method="post" action="${sourceAddress(id)}/test" data-inline class="stack">${formMessage(form)}${csrfField(context)}
<div class="short">${inputField(form, { name: 'from_number', label: 'Number of the caller', maxLength: 40, canBeEmpty: true, hint: 'A customer’s, to see them found. Empty: the number is hidden.' })}</div>
${flagInput(form, { name: 'is_real', label: 'Keep the call', hint: 'It stays among your calls, marked as a test and left out of statistics. Webhooks that subscribe to call.ended get it, with "test": true.' })}
<div class="actions"><button type="submit" class="primary">Make test call</button></div></form>`;

const CUSTOMER_WORDS: Record<TestCall['customer'], string> = {
  known: '',
  unknown: 'Nobody has this number; the call stays without a customer.',
  hidden: 'The number is hidden; the call stays without a customer.',
  unavailable: 'Can’t be told right now.',
};

function outcomePanel({ test, customerName }: MadeTest, zone: string): Html {
  const { call, customer, customer_id, creates_lead, message_id } = test;
  const who =
    customer === 'known'
      ? (customerName ?? `Customer ${customer_id}`)
      : creates_lead
        ? 'Nobody has this number; a real call would make a customer of it, as a lead.'
        : CUSTOMER_WORDS[customer];
  return html`<div class="notice good once" role="status" data-focus tabindex="-1"><p>${
    message_id === null
      ? html`<strong>This is what would come of it.</strong> Nothing was kept.`
      : html`<strong>The call was taken in as <a href="${messageAddress(message_id)}">message ${message_id}</a>.</strong> It is read within moments.`
  }</p>
<dl><dt>Customer</dt><dd>${who}</dd>
<dt>From</dt><dd>${call.from_number ?? 'Hidden'}</dd><dt>Began</dt><dd>${timeIn(zone, call.started_at)}</dd>
<dt>Lasted</dt><dd>${call.duration} seconds${call.missed && ' (missed)'}</dd>
<dt>Outcome</dt><dd>${OUTCOME_WORDS[call.outcome]}</dd>
<dt>Sentiment</dt><dd>${sentimentWords(call)}</dd>
${call.summary && html`<dt>Summary</dt><dd>${call.summary}</dd>`}
<dt>Said</dt><dd>${call.transcript.length === 0 ? 'This message tells nothing of it' : call.transcript.map(({ role, text }, index) => html`${index > 0 && html`<br>`}<span class="hint">${SPEAKERS[role]}:</span> ${text}`)}</dd></dl></div>`;
}

const SPEAKERS = { agent: 'Agent', customer: 'Customer', system: 'System' };

function sentimentWords({ sentiment, sentiment_source }: TestCall['call']): string {
  if (sentiment === null) return 'None';
  const from = sentiment_source === 'lexicon' ? ', from the customer’s words' : '';
  return `${capitalised(sentiment)}${from}`;
}
