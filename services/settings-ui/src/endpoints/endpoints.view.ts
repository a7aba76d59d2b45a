import type { EndpointAdmin } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { confirmation, copyable, onceField, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { pauseButton, testButton } from './endpoint-actions.view.ts';
import { endpointForm } from './endpoint-form.view.ts';
import { endpointHealth } from './health.view.ts';

export interface MadeSecret {
  url: string;
  secret: string;
  /** Until then the secret before signs too. */
  previousUntil: string | null;
}

interface EndpointsCard {
  endpoints: EndpointAdmin[] | null;
  made: MadeSecret | undefined;
  form: FormState;
  region: Region;
}

export const endpointsCard = (context: PageContext, card: EndpointsCard): Html =>
  panel({
    id: 'webhooks',
    isPlace: true,
    title: 'Webhooks',
    body: html`<p>Frontdesk posts events to these endpoints, signed with a secret that only you and Frontdesk know.</p>
${card.made && madePanel(card.made, card.region)}
${card.endpoints === null ? unavailable('The endpoints') : list(context, card.endpoints, card.region)}
${endpointForm(context, card.form, { isOpen: card.endpoints?.length === 0 })}`,
  });

const madePanel = ({ url, secret, previousUntil }: MadeSecret, region: Region): Html =>
  notice(
    'good',
    html`<p><strong>The signing secret for ${url}.</strong> Copy it now: it won’t be shown again.
Your receiver uses it to verify each delivery.</p>
${copyable('the secret', secret)}
${
  previousUntil &&
  html`<p>Until ${timeIn(region, previousUntil)}, deliveries are also signed with the previous secret.</p>`
}`,
    { role: 'status', isAnswer: true, look: 'once' },
  );

const list = (context: PageContext, endpoints: EndpointAdmin[], region: Region): Html =>
  endpoints.length === 0
    ? html`<p class="empty">No endpoints yet. Add the URL of your receiver below, then send it a test event.</p>`
    : html`<ul class="endpoints">${endpoints.map(
        (endpoint) => html`<li id="${itemId(endpoint)}">${item(context, endpoint, region)}</li>`,
      )}</ul>`;

const itemId = ({ id }: EndpointAdmin) => `endpoint-${id}`;

/** What changes by itself, by the id of its element. */
export const endpointItems = (
  context: PageContext,
  endpoints: readonly EndpointAdmin[],
  region: Region,
): Record<string, string> =>
  Object.fromEntries(
    endpoints.map((endpoint) => [itemId(endpoint), item(context, endpoint, region).toString()]),
  );

function item(context: PageContext, endpoint: EndpointAdmin, region: Region): Html {
  const { id, url, events, is_active } = endpoint;
  const path = `/settings/api/webhooks/${id}`;
  return html`<h3>${url}</h3>
<ul class="chips" aria-label="Events">${events.map((event) => html`<li>${event}</li>`)}</ul>
${endpointHealth(endpoint, region)}
<div class="actions">
<a class="button quiet" href="${path}">Edit or replay<span class="for-reader"> ${url}</span></a>
${
  is_active
    ? html`${testButton(context, endpoint)}${pauseButton(context, endpoint)}`
    : html`<a class="button quiet" href="${path}#resume">Resume<span class="for-reader"> ${url}</span></a>`
}
${rotation(context, endpoint, region)}${deletion(context, endpoint)}</div>`;
}

const rotation = (
  context: PageContext,
  { id, url, previous_secret_until: until }: EndpointAdmin,
  region: Region,
): Html =>
  confirmation(context, {
    id: `rotate-${id}`,
    button: 'Replace secret',
    of: `of ${url}`,
    title: 'Replace the signing secret?',
    text:
      until === null
        ? 'You get a new secret. ' +
          'For a day, deliveries are signed with both, so that you have time to update your receiver.'
        : html`It was replaced recently, and the previous secret still signs until ${timeIn(region, until)}.
Replacing it again ends that at once.`,
    action: `/settings/api/webhooks/${id}/rotate-secret`,
    confirm: 'Replace secret',
    isHarmless: until === null,
    fields: html`${onceField(context)}${until !== null && html`<input type="hidden" name="force" value="true">`}`,
  });

const deletion = (context: PageContext, { id, url }: EndpointAdmin): Html =>
  confirmation(context, {
    id: `delete-endpoint-${id}`,
    button: 'Delete',
    of: url,
    title: 'Delete this endpoint?',
    text: html`Nothing more is sent to <strong>${url}</strong>, and pending deliveries are cancelled. Its log stays.`,
    action: `/settings/api/webhooks/${id}/delete`,
    confirm: 'Delete endpoint',
  });
