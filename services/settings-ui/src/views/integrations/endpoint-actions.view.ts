import type { EndpointAdmin, MissedEvents } from '@frontdesk/contracts';
import { plural } from '../../domain/words.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { actionButton, confirmation, csrfField } from '../shared/parts.ts';
import { momentIn } from '../shared/times.ts';

const pathOf = ({ id }: EndpointAdmin) => `/settings/api/webhooks/${id}`;

export const testButton = (context: PageContext, endpoint: EndpointAdmin): Html =>
  actionButton(context, {
    action: `${pathOf(endpoint)}/test`,
    name: 'Send test event',
    of: `to ${endpoint.url}`,
  });

export const pauseButton = (context: PageContext, endpoint: EndpointAdmin): Html =>
  confirmation(context, {
    id: `pause-${endpoint.id}`,
    button: 'Pause',
    of: endpoint.url,
    title: 'Pause this endpoint?',
    text: 'While paused, events are not sent. You can send them when you resume.',
    action: `${pathOf(endpoint)}/pause`,
    confirm: 'Pause endpoint',
    isHarmless: true,
  });

/** What can be done with an endpoint as it is, on its own page. */
export function endpointActions(
  context: PageContext,
  endpoint: EndpointAdmin,
  missed: MissedEvents | null,
  zone: string,
): Html {
  if (!endpoint.is_active) return html`${came(missed)}${resumeForm(context, endpoint, missed)}`;
  return html`<div class="actions">${testButton(context, endpoint)}${pauseButton(context, endpoint)}</div>
${missed !== null && missed.to !== null && hasMissed(missed) && lateForm(context, endpoint, missed, missed.to, zone)}`;
}

const hasMissed = ({ count, is_partial }: MissedEvents) => count > 0 || is_partial;

const eventsText = ({ count, is_partial }: MissedEvents) =>
  is_partial ? `at least ${plural(count, 'event')}` : plural(count, 'event');

const came = (missed: MissedEvents | null): Html | false =>
  missed !== null &&
  html`<p>${hasMissed(missed) ? html`<strong>${eventsText(missed)}</strong> came in meanwhile.` : 'No events have come in meanwhile.'}</p>`;

function resumeForm(context: PageContext, endpoint: EndpointAdmin, missed: MissedEvents | null): Html {
  const button = (value: string, text: string, look: string) =>
    html`<button type="submit" id="resume-${value}" name="missed" value="${value}" class="${look}">${text}</button>`;
  // Without a number they can be sent all the same.
  const buttons =
    missed !== null && !hasMissed(missed)
      ? button('leave', 'Resume', 'primary')
      : html`${button('send', missed ? `Resume and send ${eventsText(missed)}` : 'Resume and send what came in', 'primary')}
${button('leave', missed?.count === 1 ? 'Resume without it' : 'Resume without them', '')}`;
  return html`<form method="post" action="${pathOf(endpoint)}/resume" data-inline id="resume">${csrfField(context)}
<div class="actions">${buttons}</div></form>`;
}

const lateForm = (
  context: PageContext,
  endpoint: EndpointAdmin,
  missed: MissedEvents,
  resumedAt: string,
  zone: string,
): Html =>
  html`<form method="post" action="${pathOf(endpoint)}/replays" data-inline class="notice waiting">${csrfField(context)}
<input type="hidden" name="kind" value="missed">
<p>${eventsText(missed)} came in before it was resumed ${momentIn(zone, resumedAt)}, and have not been sent.</p>
<div class="actions"><button type="submit" id="send-missed">Send ${missed.count === 1 && !missed.is_partial ? 'it' : 'them'}</button></div></form>`;
