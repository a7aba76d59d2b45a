import type { deliveryDetail } from '@frontdesk/contracts';
import type { z } from 'zod';
import { outcome } from './delivery-log.view.ts';
import { failureWords } from './failure-words.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { FormState, PageContext } from './page-context.ts';
import { actionButton, formMessage } from './parts.ts';
import { timeIn, timeOr } from './times.ts';

type DeliveryDetail = z.output<typeof deliveryDetail>;

interface DeliveryPage {
  delivery: DeliveryDetail;
  /** Null where the endpoint is deleted, or can't be told. */
  url: string | null;
  zone: string;
  form: FormState;
}

export function deliveryPage(context: PageContext, { delivery, url, zone, form }: DeliveryPage): string {
  const { id, event, status, payload, attempts, created_at, delivered_at, next_attempt_at } = delivery;
  return layout(context, {
    title: `Delivery ${id}`,
    at: '/settings/api',
    lead: html`<a href="/settings/api#deliveries">Back to the delivery log</a>`,
    body: html`${formMessage(form)}
<section class="card" aria-labelledby="summary-title"><h2 id="summary-title">Summary</h2>
<dl><dt>Event</dt><dd><code>${event}</code></dd><dt>Endpoint</dt><dd>${url ?? `Deleted endpoint ${delivery.endpoint_id}`}</dd>
<dt>Outcome</dt><dd>${outcome(delivery)}</dd><dt>Created</dt><dd>${timeIn(zone, created_at)}</dd>
<dt>Delivered</dt><dd>${timeOr(zone, delivered_at, 'Not yet')}</dd>
${next_attempt_at && html`<dt>Next attempt</dt><dd>${timeIn(zone, next_attempt_at)}</dd>`}</dl>
${status !== 'pending' && html`<div class="actions">${actionButton(context, { action: `/settings/api/deliveries/${id}/resend`, name: 'Send again', of: `delivery ${id}` })}</div>`}</section>
<section class="card" aria-labelledby="body-title"><h2 id="body-title">What was sent</h2>${code('The body', JSON.stringify(payload, null, 2))}</section>
<section class="card" aria-labelledby="attempts-title"><h2 id="attempts-title">Attempts</h2>
${attempts.length === 0 ? html`<p class="empty">None yet. The first one follows within seconds.</p>` : html`<ol class="attempts">${attempts.toReversed().map((attempt) => attemptItem(attempt, zone))}</ol>`}</section>`,
  });
}

function attemptItem(attempt: DeliveryDetail['attempts'][number], zone: string): Html {
  const { attempt: number, started_at, duration_ms, http_status, error_class } = attempt;
  const answer = http_status === null ? `No answer: ${failureWords(error_class)}` : `HTTP ${http_status}`;
  return html`<li><details><summary>Attempt ${number} · ${timeIn(zone, started_at)} · ${answer} · ${duration_ms} ms</summary>
<h3>Request headers</h3>${headers(`Request headers of attempt ${number}`, attempt.request_headers)}
<h3>Response</h3>${attempt.response_headers && headers(`Response headers of attempt ${number}`, attempt.response_headers)}
${code(`Response body of attempt ${number}`, attempt.response_body || '(empty)')}</details></li>`;
}

const headers = (label: string, record: Record<string, string>): Html =>
  code(
    label,
    Object.entries(record)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );

/** Wide text scrolls by itself; with the keyboard too. */
const code = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`;
