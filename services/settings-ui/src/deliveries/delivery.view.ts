import type { DeliveryDetail } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { actionButton, code, errorMessage } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { momentIn } from '../ui/times.view.ts';
import { visibleBeginning } from '../ui/visible-text.ts';
import { attemptList } from './attempts.view.ts';
import { outcome } from './delivery-log.view.ts';

/** Of the body, in characters: a call's transcript may have millions. */
const SHOWN_OF_BODY = 32 * 1024;

interface ShownDelivery {
  delivery: DeliveryDetail;
  /** Null where the endpoint is deleted or unknown. */
  url: string | null;
  region: Region;
}

interface DeliveryPage extends ShownDelivery {
  refusal?: string | undefined;
}

/**
 * A delivery that waits for its next attempt is sent at once, an ended one once more; a first attempt comes by itself.
 */
function again(context: PageContext, { id, status, attempt_count }: DeliveryDetail): Html | false {
  if (status === 'pending' && attempt_count === 0) return false;
  const [verb, name] = status === 'pending' ? ['send-now', 'Send now'] : ['resend', 'Resend'];
  const action = `/settings/api/deliveries/${id}/${verb}`;
  return html`<div class="actions">${actionButton(context, { action, name, of: `delivery ${id}` })}</div>`;
}

export function deliveryPage(context: PageContext, { refusal, ...shownDelivery }: DeliveryPage): string {
  const { id, payload } = shownDelivery.delivery;
  const { shown, isClipped } = visibleBeginning(JSON.stringify(payload, null, 2), SHOWN_OF_BODY);
  return layout(context, {
    title: `Delivery ${id}`,
    at: '/settings/api',
    lead: html`<a href="/settings/api#deliveries">Back to the delivery log</a>`,
    body: html`${errorMessage(refusal)}
<p class="for-reader" role="status" id="live-news"></p>
<div data-live="/settings/api/deliveries/${id}/live">${deliveryProgress(context, shownDelivery)}</div>
${panel({
  id: 'body',
  title: 'What was sent',
  body: html`<p>The request body, the same in every attempt, formatted for reading.</p>
${code('The body', shown)}
${isClipped && html`<p class="hint">Only the beginning is shown; the download has all of it.</p>`}
<p><a href="/settings/api/deliveries/${id}/download" download>Download the delivery with all attempts</a></p>
`,
})}`,
  });
}

/** What changes by itself: the outcome, and the attempts. */
export function deliveryProgress(context: PageContext, { delivery, url, region }: ShownDelivery): Html {
  const { id, event, status, attempts, created_at, delivered_at, next_attempt_at } = delivery;
  return html`${panel({
    id: 'summary',
    title: 'Summary',
    body: html`<dl><dt>Event</dt><dd><code>${event}</code></dd><dt>Endpoint</dt><dd>${
      url ?? `Deleted endpoint ${delivery.endpoint_id}`
    }</dd>
<dt>Outcome</dt><dd data-news="Delivery ${id}: ${status}, ${attempts.length} attempts">${outcome(delivery)}</dd>
<dt>Created</dt><dd>${momentIn(region, created_at)}</dd>
<dt>Delivered</dt><dd>${delivered_at === null ? 'Not yet' : momentIn(region, delivered_at)}</dd>
${next_attempt_at && html`<dt>Next attempt</dt><dd>${momentIn(region, next_attempt_at)}</dd>`}
${delivery.feed_cursor && html`<dt>Cursor in the feed</dt><dd><code>${delivery.feed_cursor}</code></dd>`}</dl>
${again(context, delivery)}`,
  })}
${panel({
  id: 'attempts',
  title: 'Attempts',
  body: html`${
    attempts.length === 0
      ? html`<p class="empty">No attempts yet. The first one follows within seconds.</p>`
      : attemptList(attempts, region)
  }`,
})}`;
}
