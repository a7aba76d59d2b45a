import type { CallAdmin, Utterance } from '@frontdesk/contracts';
import { customerSummaryCard } from '../customers/customer-summary.view.ts';
import { appointmentAddress, CALLS, sourceAddress } from '../records/addresses.rules.ts';
import { stateBadge } from '../records/appointment-words.view.ts';
import { bookingAddress } from '../records/booking-query.rules.ts';
import {
  callerName,
  numberOf,
  outcomeBadge,
  outcomeBeside,
  PROVIDER_WORDS,
  sentimentBadge,
} from '../records/call-words.view.ts';
import { newCustomerAddress } from '../records/customers-query.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised, secondsText } from '../region/words.rules.ts';
import { badge, linkTo, nameLink } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { visibleBeginning, visibleText } from '../ui/visible-text.ts';
import { calledBackButton, undoButton } from './call-back.view.ts';
import { isMissedCaller } from './call-backs.rules.ts';
import { callsFrame } from './calls-page.view.ts';
import type { LoadedCall } from './load-calls.ts';

export function callPage(
  context: PageContext,
  { refusal, ...loaded }: LoadedCall & { refusal?: string },
): string {
  const { call, names, customerSummary, region } = loaded;
  const name = callerName(region, call, names);
  const { summary, transcript, transcript_truncated: isTruncated } = call;
  const customer = names?.get(call.customer_id ?? 0) ?? 'Customer';
  return callsFrame(context, {
    title: `${titleOf(call)} ${name}`,
    part: CALLS,
    lead: html`${timeIn(region, call.started_at)} · <a href="${CALLS}">All calls</a>`,
    refusal,
    body: html`<div class="call"><div class="call-facts stack narrow-lists">${factsCard(context, loaded)}
${customerSummary && customerSummaryCard({ customerSummary, region })}</div>
${
  context.scopes.includes('calls:transcripts') &&
  html`<div class="call-text stack">${
    summary &&
    panel({ id: 'summary', title: 'Summary', body: html`<p class="as-typed">${visibleText(summary)}</p>` })
  }
${transcriptCard({ transcript, isTruncated, customer })}</div>`
}</div>`,
  });
}

/** A caller who was missed is not somebody who didn't answer. */
function titleOf({ direction, missed }: CallAdmin): string {
  if (direction === 'inbound') return missed ? 'Missed call from' : 'Call from';
  return missed ? 'Unanswered call to' : 'Call to';
}

function factsCard(context: PageContext, { call, names, region, appointment }: LoadedCall): Html {
  const { sentiment, quality_score, recording_url, duration, source_id, test } = call;
  const beside = outcomeBeside(call);
  const number = numberOf(call);
  return panel({
    id: 'facts',
    title: 'Details',
    beside: html`${outcomeBadge(call)}${test && badge('off', 'Test')}`,
    body: html`<dl class="facts"><dt>Customer</dt><dd>${customerPart(context, call, names)}</dd>
<dt>Number</dt><dd>${number === null ? 'Hidden' : phoneLink(region, number)}</dd>
<dt>Duration</dt><dd>${secondsText(duration)}</dd>
${beside && html`<dt>Outcome</dt><dd>${beside}</dd>`}
${
  sentiment &&
  html`<dt>Sentiment</dt><dd>${sentimentBadge(sentiment)}<span class="hint">${sentimentOrigin(call)}</span></dd>`
}
${quality_score !== null && html`<dt>Quality</dt><dd>${Math.round(quality_score)} of 100</dd>`}
${
  call.appointment_id !== null &&
  html`<dt>Appointment</dt><dd>${appointmentPart(call.appointment_id, appointment, region)}</dd>`
}
${call.stated_appointment && html`<dt>Appointment</dt><dd>${statedPart(call.stated_appointment)}</dd>`}
${
  recording_url &&
  html`<dt>Recording</dt><dd><a href="${recording_url}" rel="noreferrer"
target="_blank">Listen<span class="for-reader"> to the recording, in a new tab</span></a></dd>`
}
<dt>Source</dt>
<dd>${nameLink(context, sourceAddress(source_id), call.source)}<span class="hint">${providerName(call)}</span></dd>
${
  call.called_back &&
  html`<dt>Called back</dt>
<dd>${timeIn(region, call.called_back.at)}<span class="hint">by ${call.called_back.by}</span></dd>`
}</dl>
<div class="actions">${callBackPart(context, { call, names, region })}${
      call.appointment_id === null &&
      linkTo(
        context,
        bookingAddress({ customer_id: call.customer_id ?? undefined, call_id: call.id }),
        'Book an appointment',
        'button quiet',
      )
    }</div>`,
  });
}

const providerName = ({ provider }: CallAdmin): string =>
  Object.entries(PROVIDER_WORDS).find(([name]) => name === provider)?.[1].name ?? capitalised(provider);

/** How the sentiment is known. */
const sentimentOrigin = (call: CallAdmin): string => {
  if (call.sentiment_source === 'lexicon') return 'Worked out from the customer’s words';
  return `Sent by ${call.provider === 'generic' ? 'your phone system' : providerName(call)}`;
};

function customerPart(context: PageContext, call: CallAdmin, names: LoadedCall['names']): Html {
  const { customer_id: id } = call;
  if (id !== null) return html`<a href="/settings/customers/${id}">${names?.get(id) ?? `Customer ${id}`}</a>`;
  const number = numberOf(call);
  if (number === null) return html`Unknown, as the number is hidden`;
  return html`Nobody has this number. ${linkTo(context, newCustomerAddress(number), 'Add a customer')}`;
}

function appointmentPart(id: number, appointment: LoadedCall['appointment'], region: Region): Html {
  if (appointment === null) return html`<a href="${appointmentAddress(id)}">Appointment ${id}</a>`;
  const { service_name, starts_at } = appointment;
  const when = html`<span class="hint">${timeIn(region, starts_at)}</span>`;
  return html`<a href="${appointmentAddress(id)}">${service_name}</a> ${stateBadge(region, appointment)}${when}`;
}

/** No link: the id is the provider's word, and may be anything. */
const statedPart = ({ id, status }: NonNullable<CallAdmin['stated_appointment']>): Html =>
  status === 'unknown'
    ? html`Not found<span class="hint">The source named appointment ${id}, which this business doesn’t have.</span>`
    : html`Not confirmed yet<span class="hint">The source named appointment ${id}.
Whether it exists is being checked.</span>`;

function callBackPart(
  context: PageContext,
  { call, names, region }: Pick<LoadedCall, 'call' | 'names' | 'region'>,
): Html | false {
  const button = { id: call.id, of: callerName(region, call, names), returnTo: 'call' } as const;
  if (call.called_back) return undoButton(context, button);
  return isMissedCaller(call) && calledBackButton(context, button);
}

/** Of a transcript: one may have two megabytes, and a line for each word. */
const SHOWN_CHARACTERS = 100_000;
const SHOWN_UTTERANCES = 1_000;

interface Transcript {
  transcript: Utterance[];
  /** It was longer than what is kept. */
  isTruncated: boolean;
  /** What the customer is called in it. */
  customer: string;
}

/** What was said, as a dialogue. */
function transcriptCard({ transcript, isTruncated, customer }: Transcript): Html {
  const { shown, isClipped } = beginningOf(transcript);
  const speakers = { agent: 'Agent', customer, system: 'System' };
  return panel({
    id: 'transcript',
    title: 'Transcript',
    body: html`${
      transcript.length === 0
        ? html`<p class="empty">No transcript.
Some providers send it minutes after the call, others only when it is turned on there.</p>`
        : html`<ol class="dialogue">${shown.map(
            ({ role, text, start }) =>
              html`<li class="said-by-${role}"><p class="speaker">${speakers[role]}${
                start !== null && html` <span>${minuteText(start)}</span>`
              }</p><p class="as-typed">${text}</p></li>`,
          )}</ol>`
    }
${isClipped && html`<p class="hint">Only the beginning is shown. Programs get all of it from the API.</p>`}
${isTruncated && html`<p class="hint">The provider sent more than is kept: its end is missing.</p>`}`,
  });
}

/** As many utterances as a page can show, with what hides in them spelled out; the last of them may end early. */
function beginningOf(transcript: readonly Utterance[]): { shown: Utterance[]; isClipped: boolean } {
  let left = SHOWN_CHARACTERS;
  const shown: Utterance[] = [];
  for (const utterance of transcript.slice(0, SHOWN_UTTERANCES)) {
    if (left === 0) break;
    const { shown: text, isClipped } = visibleBeginning(utterance.text, left);
    shown.push({ ...utterance, text });
    left -= text.length;
    if (isClipped) return { shown, isClipped };
  }
  return { shown, isClipped: shown.length < transcript.length };
}

/** `2:05` into the call. */
const minuteText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
