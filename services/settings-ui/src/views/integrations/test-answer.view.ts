import type { DeliveryDetail } from '@frontdesk/contracts';
import type { Region } from '../../domain/shared/region.ts';
import { latencyText } from '../../domain/shared/words.ts';
import { type Html, html, type Renderable } from '../shared/html.ts';
import { momentIn } from '../shared/times.ts';
import { failureWords } from './failure-words.ts';

/** The result of a test event, on the page it was sent from; it updates with each attempt. */
export function testAnswer(delivery: DeliveryDetail, region: Region): Html {
  const { tone, text } = answerOf(delivery, region);
  return html`<p class="notice ${tone}">${text} <a href="/settings/api/deliveries/${delivery.id}" id="test-details">Details<span class="for-reader"> of the test event</span></a></p>`;
}

function answerOf(delivery: DeliveryDetail, region: Region): { tone: string; text: Renderable } {
  const last = delivery.attempts.at(-1);
  const took = last ? latencyText(region, last.duration_ms) : '';
  const why = last?.http_status
    ? `HTTP ${last.http_status} after ${took}`
    : failureWords(last?.error_class ?? null);
  if (delivery.status === 'delivered') return { tone: 'good', text: `The test event arrived: ${why}.` };
  if (delivery.status === 'cancelled')
    return { tone: 'waiting', text: 'The test event was cancelled before it arrived.' };
  if (delivery.status === 'failed') return { tone: 'bad', text: `The test event failed: ${why}.` };
  if (!last)
    return {
      tone: 'waiting',
      text: html`The test event is on its way …<noscript> Reload the page to see the answer.</noscript>`,
    };
  return {
    tone: 'bad',
    text: html`The test event failed: ${why}.${delivery.next_attempt_at && html` It is tried again ${momentIn(region, delivery.next_attempt_at)}.`}`,
  };
}
