import type { DeliveryDetail, EndpointAdmin, MissedEvents, Replay } from '@frontdesk/contracts';
import type { Region } from '../../domain/shared/region.ts';
import { inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { type FormState, isSent, type PageContext, textOf, textsOf } from '../shared/page-context.ts';
import { csrfField, formMessage, refusalMessage, unavailable } from '../shared/parts.ts';
import { endpointActions } from './endpoint-actions.view.ts';
import { eventBoxes } from './endpoint-form.view.ts';
import { endpointHealth } from './health.view.ts';
import { failedPart, replayList, replaysCard, sendAgainCard } from './replays.view.ts';
import { testAnswer } from './test-answer.view.ts';

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
    body: html`${refusalMessage(page.refusal)}${endpoint ? summaryCard(context, endpoint, page) : unavailable('The endpoint')}
${hasReplays && replays}
${(endpoint || isSent(changeForm)) && changeCard(context, id, endpoint, changeForm)}
${endpoint && sendAgainCard(context, { ...page, endpoint, form: page.replayForm })}
${!hasReplays && replays}`,
  });
}

function summaryCard(context: PageContext, endpoint: EndpointAdmin, page: EndpointPage): Html {
  const { id, url } = endpoint;
  const { test, region } = page;
  const query = test ? `?test=${test.id}` : '';
  return html`<section class="card" aria-labelledby="summary-title"><h2 id="summary-title">${url}</h2>
<div id="endpoint-health" data-live="/settings/api/webhooks/${id}/live${query}">${endpointHealth(endpoint, region)}</div>
<div id="endpoint-actions" class="stack">${endpointActions(context, { ...page, endpoint })}</div>
${test && html`<div id="test-answer" role="status" tabindex="-1" data-focus>${testAnswer(test, region)}</div>`}
<p><a href="/settings/api?endpoint_id=${id}#deliveries">Delivery log of this endpoint</a></p></section>`;
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
  const values = isSent(form) ? form.values : { url: endpoint?.url, events: endpoint?.events };
  const shown = {
    ...form,
    values: { url: textOf({ ...form, values }, 'url'), events: textsOf({ ...form, values }, 'events') },
  };
  return html`<section class="card" id="change" aria-labelledby="change-title"><h2 id="change-title">URL and events</h2>
<p>The signing secret stays the same. Pending deliveries go to the new URL.</p>
<form method="post" action="/settings/api/webhooks/${id}" data-inline class="stack">${formMessage(form)}${csrfField(context)}
${inputField(shown, { name: 'url', label: 'URL', maxLength: 2_048 })}
${eventBoxes(shown, endpoint?.events)}
<div class="actions"><button type="submit" class="primary">Save</button></div></form></section>`;
}
