import { type CallSource, MAX_LENGTH, type TestCall } from '@frontdesk/contracts';
import { messageAddress, sourceAddress } from '../records/addresses.rules.ts';
import { OUTCOME_WORDS, PROVIDER_WORDS, UNANSWERED_WORDS } from '../records/call-words.view.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised } from '../region/words.rules.ts';
import { postForm } from '../ui/controls.view.ts';
import { flagInput, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';

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
    region,
  }: { source: CallSource; made: MadeTest | undefined; form: FormState; region: Region },
): Html {
  const provider = PROVIDER_WORDS[source.provider].name;
  return panel({
    id: 'test',
    isPlace: true,
    title: 'Test call',
    body: html`<p>Shows how a message from ${
      source.provider === 'generic' ? 'your system' : provider
    } is processed, and which customer it belongs to. Nothing is saved unless you keep the call.
To check the setup at your provider, make a real call: its messages appear below.</p>
${made && outcomePanel(made, region)}
${testCallForm(context, source.id, form)}`,
  });
}

export const testCallForm = (context: PageContext, id: number, form: FormState): Html =>
  postForm(context, {
    action: `${sourceAddress(id)}/test`,
    look: 'stack',
    state: form,
    isOnce: true,
    body: html`<div class="short">
${inputField(form, {
  name: 'from_number',
  label: 'Caller’s number',
  maxLength: MAX_LENGTH.phone,
  canBeEmpty: true,
  hint: 'Use a customer’s number to see them found. Leave it empty for a hidden number.',
})}</div>
${flagInput(form, {
  name: 'is_real',
  label: 'Keep the call',
  hint:
    'It is kept with your calls, marked as a test and left out of statistics. ' +
    'Webhooks that subscribe to call.ended get it, with "test": true.',
})}
<div class="actions"><button type="submit" class="primary">Make test call</button></div>`,
  });

const CUSTOMER_WORDS: Record<TestCall['customer'], string> = {
  known: '',
  unknown: 'No customer has this number, so the call has no customer.',
  hidden: 'The number is hidden, so the call has no customer.',
  unavailable: 'Can’t be looked up right now.',
};

function outcomePanel({ test, customerName }: MadeTest, region: Region): Html {
  const { call, customer, customer_id, creates_lead, message_id } = test;
  const who =
    customer === 'known'
      ? (customerName ?? `Customer ${customer_id}`)
      : creates_lead
        ? 'No customer has this number; a real call would create a lead.'
        : CUSTOMER_WORDS[customer];
  return notice(
    'good',
    html`<p>${
      message_id === null
        ? html`<strong>This is how the call would look.</strong> Nothing was saved.`
        : html`<strong>The call was accepted as
<a href="${messageAddress(message_id)}">message ${message_id}</a>.</strong> It is processed within moments.`
    }</p>
<dl><dt>Customer</dt><dd>${who}</dd>
<dt>From</dt><dd>${call.from_number === null ? 'Hidden' : phoneText(region, call.from_number)}</dd>
<dt>Started</dt><dd>${timeIn(region, call.started_at)}</dd>
<dt>Duration</dt><dd>${call.duration} seconds${
      call.missed && ` (${UNANSWERED_WORDS[call.direction].toLowerCase()})`
    }</dd>
<dt>Outcome</dt><dd>${OUTCOME_WORDS[call.outcome]}</dd>
<dt>Sentiment</dt><dd>${sentimentWords(call)}</dd>
${call.summary && html`<dt>Summary</dt><dd>${call.summary}</dd>`}
<dt>Transcript</dt><dd>${
      call.transcript.length === 0
        ? 'This message has none'
        : call.transcript.map(
            ({ role, text }, index) =>
              html`${index > 0 && html`<br>`}<span class="hint">${SPEAKERS[role]}:</span> ${text}`,
          )
    }</dd></dl>`,
    { role: 'status', isAnswer: true, look: 'once' },
  );
}

const SPEAKERS = { agent: 'Agent', customer: 'Customer', system: 'System' };

function sentimentWords({ sentiment, sentiment_source }: TestCall['call']): string {
  if (sentiment === null) return 'None';
  const from = sentiment_source === 'lexicon' ? ', from the customer’s words' : '';
  return `${capitalised(sentiment)}${from}`;
}
