import type { CallAdmin } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import { CALLS, SOURCES } from '../../domain/calls/call-addresses.ts';
import { newCustomerAddress } from '../../domain/customers/customers-query.ts';
import type { Region } from '../../domain/shared/region.ts';
import { capitalised, secondsText } from '../../domain/shared/words.ts';
import type { LoadedCall } from '../../use-cases/load-calls.ts';
import { STATUS_TONES, STATUS_WORDS } from '../appointments/appointment-words.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { badge } from '../shared/parts.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { timeIn } from '../shared/times.ts';
import { visibleText } from '../shared/visible-text.ts';
import { calledBackButton, undoButton } from './call-back.view.ts';
import {
  callerName,
  numberOf,
  OUTCOME_WORDS,
  outcomeBadge,
  PROVIDER_WORDS,
  sentimentBadge,
} from './call-words.ts';
import { callsFrame } from './frame.view.ts';
import { transcriptCard } from './transcript.view.ts';

export function callPage(
  context: PageContext,
  { refusal, ...loaded }: LoadedCall & { refusal?: string },
): string {
  const { call, names, region } = loaded;
  const name = callerName(region, call, names);
  const { summary, transcript, transcript_truncated: isTruncated } = call;
  const customer = names?.get(call.customer_id ?? 0) ?? 'Customer';
  return callsFrame(context, {
    title: `${call.missed ? 'Missed call' : 'Call'} ${call.direction === 'inbound' ? 'from' : 'to'} ${name}`,
    part: CALLS,
    lead: html`${timeIn(region, call.started_at)} · <a href="${CALLS}">All calls</a>`,
    refusal,
    body: html`<div class="call"><div class="call-facts stack">${factsCard(context, loaded)}</div>
<div class="call-text stack">${summary && html`<section class="card" aria-labelledby="summary-title"><h2 id="summary-title">Summary</h2><p class="as-typed">${visibleText(summary)}</p></section>`}
${transcriptCard({ transcript, isTruncated, customer })}</div></div>`,
  });
}

function factsCard(context: PageContext, { call, names, region, appointment }: LoadedCall): Html {
  const { outcome, sentiment, quality_score, recording_url, duration, missed, source_id, test } = call;
  const number = numberOf(call);
  return html`<section class="card" aria-labelledby="facts-title"><div class="heading"><h2 id="facts-title">Details</h2>${outcomeBadge(call)}${test && badge('off', 'Test')}</div>
<dl class="facts"><dt>Customer</dt><dd>${customerPart(call, names)}</dd>
<dt>Number</dt><dd>${number === null ? 'Hidden' : phoneLink(region, number)}</dd>
<dt>Duration</dt><dd>${secondsText(duration)}</dd>
${missed && html`<dt>Outcome</dt><dd>${OUTCOME_WORDS[outcome]}</dd>`}
${sentiment && html`<dt>Sentiment</dt><dd>${sentimentBadge(sentiment)}<span class="hint">${sentimentOrigin(call)}</span></dd>`}
${quality_score !== null && html`<dt>Quality</dt><dd>${Math.round(quality_score)} of 100</dd>`}
${call.appointment_id !== null && html`<dt>Appointment</dt><dd>${appointmentPart(call.appointment_id, appointment, region)}</dd>`}
${call.stated_appointment && html`<dt>Appointment</dt><dd>${statedPart(call.stated_appointment)}</dd>`}
${recording_url && html`<dt>Recording</dt><dd><a href="${recording_url}" rel="noreferrer" target="_blank">Listen<span class="for-reader"> to the recording, in a new tab</span></a></dd>`}
<dt>Source</dt><dd><a href="${SOURCES}/${source_id}">${call.source}</a><span class="hint">${providerName(call)}</span></dd>
${call.called_back && html`<dt>Called back</dt><dd>${timeIn(region, call.called_back.at)}<span class="hint">by ${call.called_back.by}</span></dd>`}</dl>
<div class="actions">${callBackPart(context, { call, names, region })}${call.customer_id !== null && call.appointment_id === null && html`<a class="button quiet" href="${bookingAddress({ customer_id: call.customer_id, call_id: call.id })}">Book an appointment</a>`}</div></section>`;
}

const providerName = ({ provider }: CallAdmin): string =>
  Object.entries(PROVIDER_WORDS).find(([name]) => name === provider)?.[1].name ?? capitalised(provider);

/** How the sentiment is known. */
const sentimentOrigin = (call: CallAdmin): string => {
  if (call.sentiment_source === 'lexicon') return 'Worked out from the customer’s words';
  return `Sent by ${call.provider === 'generic' ? 'your phone system' : providerName(call)}`;
};

function customerPart(call: CallAdmin, names: LoadedCall['names']): Html {
  const { customer_id: id } = call;
  if (id !== null) return html`<a href="/settings/customers/${id}">${names?.get(id) ?? `Customer ${id}`}</a>`;
  const number = numberOf(call);
  if (number === null) return html`Unknown, as the number is hidden`;
  return html`Nobody has this number. <a href="${newCustomerAddress(number)}">Add a customer</a>`;
}

function appointmentPart(id: number, appointment: LoadedCall['appointment'], region: Region): Html {
  if (appointment === null) return html`<a href="${appointmentAddress(id)}">Appointment ${id}</a>`;
  const { service_name, starts_at, status } = appointment;
  return html`<a href="${appointmentAddress(id)}">${service_name}</a> ${badge(STATUS_TONES[status], STATUS_WORDS[status])}<span class="hint">${timeIn(region, starts_at)}</span>`;
}

/** No link: the id is the provider's word, and may be anything. */
const statedPart = ({ id, status }: NonNullable<CallAdmin['stated_appointment']>): Html =>
  status === 'unknown'
    ? html`Not found<span class="hint">The source named appointment ${id}, which this business doesn’t have.</span>`
    : html`Not confirmed yet<span class="hint">The source named appointment ${id}. Whether it exists is being checked.</span>`;

function callBackPart(
  context: PageContext,
  { call, names, region }: Pick<LoadedCall, 'call' | 'names' | 'region'>,
): Html | false {
  const button = { id: call.id, of: callerName(region, call, names), returnTo: 'call' } as const;
  if (call.called_back) return undoButton(context, button);
  return call.missed && !call.test && call.direction === 'inbound' && calledBackButton(context, button);
}
