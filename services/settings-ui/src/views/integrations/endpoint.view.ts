import type { EndpointAdmin, Replay } from '@frontdesk/contracts';
import { inputField } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { type FormState, isSent, type PageContext, textOf, textsOf } from '../shared/page-context.ts';
import { csrfField, formMessage, unavailable } from '../shared/parts.ts';
import { eventBoxes } from './endpoint-form.view.ts';
import { endpointHealth, endpointState } from './endpoints.view.ts';
import { replaysCard, sendAgainCard } from './replays.view.ts';

export interface EndpointPage {
  id: number;
  /** Null where the webhooks service can't say. */
  endpoint: EndpointAdmin | null;
  failedCount: number | null;
  replays: Replay[] | null;
  zone: string;
  changeForm: FormState;
  replayForm: FormState;
}

export function endpointPage(context: PageContext, page: EndpointPage): string {
  const { id, endpoint, zone, changeForm } = page;
  const replays = endpoint && replaysCard(context, { ...page, endpoint, form: page.replayForm });
  // What is under way comes first; that there is nothing is no news.
  const hasReplays = page.replays === null || page.replays.length > 0;
  return layout(context, {
    title: 'Webhook endpoint',
    at: '/settings/api',
    lead: html`<a href="/settings/api#webhooks">Back to API and webhooks</a>`,
    body: html`${endpoint ? summaryCard(endpoint, zone) : unavailable('The endpoint')}
${hasReplays && replays}
${(endpoint || isSent(changeForm)) && changeCard(context, id, endpoint, changeForm)}
${endpoint && sendAgainCard(context, { ...page, endpoint, form: page.replayForm })}
${!hasReplays && replays}`,
  });
}

const summaryCard = (endpoint: EndpointAdmin, zone: string): Html =>
  html`<section class="card" aria-labelledby="summary-title"><div class="heading"><h2 id="summary-title">${endpoint.url}</h2>${endpointState(endpoint)}</div>
${endpointHealth(endpoint, zone)}
<p><a href="/settings/api?endpoint_id=${endpoint.id}#deliveries">Delivery log of this endpoint</a></p></section>`;

/** Shows what was typed where that was refused, else how the endpoint is. */
function changeCard(context: PageContext, id: number, endpoint: EndpointAdmin | null, form: FormState): Html {
  const values = isSent(form) ? form.values : { url: endpoint?.url, events: endpoint?.events };
  const shown = {
    ...form,
    values: { url: textOf({ ...form, values }, 'url'), events: textsOf({ ...form, values }, 'events') },
  };
  return html`<section class="card" id="change" aria-labelledby="change-title"><h2 id="change-title">Address and events</h2>
<p>The signing secret stays the same. Pending deliveries go to the new address.</p>
<form method="post" action="/settings/api/webhooks/${id}" data-inline class="stack">${formMessage(form)}${csrfField(context)}
${inputField(shown, { name: 'url', label: 'Address', maxLength: 2_048 })}
${eventBoxes(shown, endpoint?.events)}
<div class="actions"><button type="submit" class="primary">Save</button></div></form></section>`;
}
