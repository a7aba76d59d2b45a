import type { EndpointAdmin } from '@frontdesk/contracts';
import { countText } from '../../domain/words.ts';
import { type Html, html } from '../shared/html.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { actionButton, badge, confirmation, copyable, onceField, unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import { endpointForm } from './endpoint-form.view.ts';
import { failureWords } from './failure-words.ts';

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
  zone: string;
}

export const endpointsCard = (context: PageContext, card: EndpointsCard): Html =>
  html`<section class="card" id="webhooks" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks</h2>
<p>Frontdesk posts to these addresses what happens, signed with a secret that only you and we know.</p>
${card.made && madePanel(card.made, card.zone)}
${card.endpoints === null ? unavailable('The endpoints') : list(context, card.endpoints, card.zone)}
${endpointForm(context, card.form, { isOpen: card.endpoints?.length === 0 })}</section>`;

const madePanel = ({ url, secret, previousUntil }: MadeSecret, zone: string): Html =>
  html`<div class="notice good once" role="status" data-focus tabindex="-1">
<p><strong>The signing secret of ${url}.</strong> Copy it now: it is shown only this once. Your receiver verifies each delivery with it.</p>
${copyable('the secret', secret)}
${previousUntil && html`<p>Deliveries are signed with the secret before as well until ${timeIn(zone, previousUntil)}.</p>`}</div>`;

const list = (context: PageContext, endpoints: EndpointAdmin[], zone: string): Html =>
  endpoints.length === 0
    ? html`<p class="empty">No endpoints yet. Add the address of your receiver below, then send it a test event.</p>`
    : html`<ul class="endpoints">${endpoints.map((endpoint) => item(context, endpoint, zone))}</ul>`;

export const endpointState = ({ state }: EndpointAdmin): Html => STATES[state]();

const STATES = {
  active: () => badge('good', 'Active'),
  paused: () => badge('off', 'Paused'),
  disabled: () => badge('bad', 'Disabled'),
};

function item(context: PageContext, endpoint: EndpointAdmin, zone: string): Html {
  const { id, url, events, is_active } = endpoint;
  const path = `/settings/api/webhooks/${id}`;
  return html`<li><div class="heading"><h3>${url}</h3>${endpointState(endpoint)}</div>
<ul class="chips" aria-label="Events">${events.map((event) => html`<li>${event}</li>`)}</ul>
${endpointHealth(endpoint, zone)}
<div class="actions">
<a class="button quiet" href="${path}">Edit or replay<span class="for-reader"> ${url}</span></a>
${is_active && actionButton(context, { action: `${path}/test`, name: 'Send test event', of: `to ${url}` })}
${actionButton(context, { action: `${path}/${is_active ? 'pause' : 'resume'}`, name: is_active ? 'Pause' : 'Resume', of: url })}
${rotation(context, endpoint, zone)}${deletion(context, endpoint)}</div></li>`;
}

const REASONS: Record<string, string> = {
  gone: 'it answered that it is gone for good (410)',
  failing: 'nothing has reached it for days',
};

export function endpointHealth({ health, state, disabled_reason }: EndpointAdmin, zone: string): Html {
  const { success_rate, last_success_at, last_failure_at, last_failure, failing_since } = health;
  const { dropped_deliveries } = health;
  const told = [
    success_rate !== null && html`${Math.round(success_rate * 100)} % of the last deliveries arrived`,
    last_success_at !== null && html`Last success ${timeIn(zone, last_success_at)}`,
    last_failure_at !== null &&
      html`Last failure ${timeIn(zone, last_failure_at)}, ${failureWords(last_failure)}`,
    dropped_deliveries > 0 &&
      html`Dropped unsent, after waiting for too long: ${countText(dropped_deliveries)}`,
  ].filter((part) => part !== false);
  return html`${state === 'disabled' && html`<p class="notice bad">Disabled, because ${REASONS[disabled_reason ?? ''] ?? disabled_reason}. Resume it once it works again.</p>`}
${failing_since && state === 'active' && html`<p class="notice bad">Deliveries have been failing since ${timeIn(zone, failing_since)}: ${failureWords(last_failure)}.</p>`}
<p class="hint">${told.length === 0 ? 'Nothing sent yet' : told.map((part, index) => html`${index > 0 && ' · '}${part}`)}</p>`;
}

const rotation = (
  context: PageContext,
  { id, url, previous_secret_until: until }: EndpointAdmin,
  zone: string,
): Html =>
  confirmation(context, {
    id: `rotate-${id}`,
    button: 'Replace secret',
    of: `of ${url}`,
    title: 'Replace the signing secret?',
    text:
      until === null
        ? 'You get a new secret. For a day deliveries are signed with both, so that you can change your receiver meanwhile.'
        : html`It was replaced not long ago: the one before that signs until ${timeIn(zone, until)}, and would be void at once.`,
    action: `/settings/api/webhooks/${id}/rotate-secret`,
    confirm: 'Replace secret',
    isHarmless: until === null,
    fields: html`${onceField()}${until !== null && html`<input type="hidden" name="force" value="true">`}`,
  });

const deletion = (context: PageContext, { id, url }: EndpointAdmin): Html =>
  confirmation(context, {
    id: `delete-endpoint-${id}`,
    button: 'Delete',
    of: url,
    title: 'Delete this endpoint?',
    text: html`Nothing more is sent to <strong>${url}</strong>, and what waits for it is cancelled. Its log stays.`,
    action: `/settings/api/webhooks/${id}/delete`,
    confirm: 'Delete endpoint',
  });
