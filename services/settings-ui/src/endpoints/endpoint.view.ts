import {
  type DeliveryDetail,
  type EndpointAdmin,
  MAX_LENGTH,
  type MissedEvents,
  type Replay,
} from '@frontdesk/contracts';
import { failureWords } from '../records/attempt-words.view.ts';
import { scopeList } from '../records/scope-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { latencyText } from '../region/words.rules.ts';
import { errorMessage, postForm, unavailable } from '../ui/controls.view.ts';
import { checkboxGroup, inputField } from '../ui/fields.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice, type Tone } from '../ui/notice.view.ts';
import { type FormState, isSent, type PageContext, textsOf } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { momentIn } from '../ui/times.view.ts';
import { endpointActions } from './endpoint-actions.view.ts';
import { eventBoxes, headersField, IS_FORM } from './endpoint-form.view.ts';
import { endpointHealth } from './health.view.ts';
import { failedPart, replayList, replaysCard, sendAgainCard } from './replays.view.ts';

export interface EndpointPage {
  id: number;
  /** Null where the webhooks service can't say. */
  endpoint: EndpointAdmin | null;
  failedCount: number | null;
  replays: Replay[] | null;
  /** What came in while it was last paused or disabled; null where that is unknown or not asked. */
  missed: MissedEvents | null;
  /** The test event that was sent from here just now. */
  test: DeliveryDetail | null;
  region: Region;
}

interface EndpointForms {
  changeForm: FormState;
  replayForm: FormState;
  /** What is wrong with a change that has no fields. */
  refusal?: string | undefined;
}

export function endpointPage(context: PageContext, page: EndpointPage & EndpointForms): string {
  const { id, endpoint, changeForm } = page;
  const replays = endpoint && replaysCard(context, { ...page, endpoint, form: page.replayForm });
  // What is under way comes first; that there is nothing is no news.
  const hasReplays = page.replays === null || page.replays.length > 0;
  return layout(context, {
    title: 'Webhook endpoint',
    at: '/settings/api',
    lead: html`<a href="/settings/api#webhooks">Back to API and webhooks</a>`,
    body: html`${errorMessage(page.refusal)}${
      endpoint ? summaryCard(context, endpoint, page) : unavailable('The endpoint')
    }
${hasReplays && replays}
${(endpoint || isSent(changeForm)) && changeCard(context, id, endpoint, changeForm)}
${endpoint && sendAgainCard(context, { ...page, endpoint, form: page.replayForm })}
${!hasReplays && replays}`,
  });
}

function summaryCard(context: PageContext, endpoint: EndpointAdmin, page: EndpointPage): Html {
  const { id, url, scopes } = endpoint;
  const { test, region } = page;
  const query = test ? `?test=${test.id}` : '';
  return panel({
    id: 'summary',
    title: url,
    body: html`<div id="endpoint-health"
data-live="/settings/api/webhooks/${id}/live${query}">${endpointHealth(endpoint, region)}</div>
<dl class="facts"><dt>Data in its events</dt><dd>${scopeList(scopes)}</dd></dl>
<div id="endpoint-actions" class="stack">${endpointActions(context, { ...page, endpoint })}</div>
${test && html`<div id="test-answer" role="status" tabindex="-1" data-focus>${testAnswer(test, region)}</div>`}
<p><a href="/settings/api?endpoint_id=${id}#deliveries">Delivery log of this endpoint</a></p>`,
  });
}

/** What changes by itself, by the id of its element. */
export function liveEndpoint(
  context: PageContext,
  { endpoint, missed, test, region, ...page }: EndpointPage & { endpoint: EndpointAdmin },
): Record<string, string> {
  const card = { ...page, endpoint, region };
  return {
    'endpoint-health': endpointHealth(endpoint, region).toString(),
    'endpoint-actions': endpointActions(context, { ...card, missed }).toString(),
    ...(test && { 'test-answer': testAnswer(test, region).toString() }),
    'failed-deliveries': failedPart(context, card).toString(),
    'replay-list': replayList(context, card).toString(),
  };
}

/** Shows what was typed where that was refused, else how the endpoint is. */
function changeCard(context: PageContext, id: number, endpoint: EndpointAdmin | null, form: FormState): Html {
  const shown = isSent(form) ? form : { ...form, values: { url: endpoint?.url, events: endpoint?.events } };
  return panel({
    id: 'change',
    isPlace: true,
    title: 'URL, events and headers',
    body: html`<p>The signing secret stays the same. Pending deliveries go to the new URL.</p>
${postForm(context, {
  action: `/settings/api/webhooks/${id}`,
  id: 'change-endpoint',
  look: 'stack',
  state: form,
  body: html`${IS_FORM}${inputField(shown, { name: 'url', label: 'URL', maxLength: MAX_LENGTH.url })}
${eventBoxes(shown, endpoint?.events)}${headersOf(shown, endpoint)}
<div class="actions"><button type="submit" class="primary">Save</button></div>`,
})}`,
  });
}

/** What is entered is added, or takes the place of what is there; values are shown nowhere. */
function headersOf(form: FormState, endpoint: EndpointAdmin | null): Html {
  const names = endpoint?.headers ?? textsOf(form, 'removed_headers');
  if (names.length === 0) return headersField(form);
  return html`<p>Custom headers sent with each delivery: ${names.join(', ')}. Enter a header again to change its value. If you change the URL, enter them all again.</p>
${headersField(form)}${checkboxGroup(form, {
  name: 'removed_headers',
  label: 'Headers to remove',
  choices: names.map((name) => ({ value: name, label: html`<code>${name}</code>` })),
})}`;
}

/** The result of a test event, on the page it was sent from; it updates with each attempt. */
function testAnswer(delivery: DeliveryDetail, region: Region): Html {
  const { tone, text } = answerOf(delivery, region);
  return notice(
    tone,
    html`${text} <a href="/settings/api/deliveries/${delivery.id}"
id="test-details">Details<span class="for-reader"> of the test event</span></a>`,
  );
}

function answerOf(delivery: DeliveryDetail, region: Region): { tone: Tone; text: Renderable } {
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
    text: html`The test event failed: ${why}.${
      delivery.next_attempt_at && html` It is tried again ${momentIn(region, delivery.next_attempt_at)}.`
    }`,
  };
}
