import type { EndpointAdmin, MissedEvents, Replay } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { plural } from '../region/words.rules.ts';
import { actionButton, confirmation, postForm } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { momentIn } from '../ui/times.view.ts';

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

export interface EndpointActions {
  endpoint: EndpointAdmin;
  missed: MissedEvents | null;
  replays: Replay[] | null;
  region: Region;
}

/** What can be done with an endpoint as it is, on its own page. */
export function endpointActions(context: PageContext, actions: EndpointActions): Html {
  const { endpoint, missed } = actions;
  if (!endpoint.is_active) return html`${came(actions.region, missed)}${resumeForm(context, actions)}`;
  return html`<div class="actions">${testButton(context, endpoint)}${pauseButton(context, endpoint)}</div>
${lateForm(context, actions)}`;
}

const hasMissed = ({ count, is_partial }: MissedEvents) => count > 0 || is_partial;

/** There are some, though not among those that were looked at; or there are none. */
const isUncertain = ({ count, is_partial }: MissedEvents) => count === 0 && is_partial;

const eventsText = (region: Region, { count, is_partial }: MissedEvents) =>
  is_partial ? `at least ${plural(region, count, 'event')}` : plural(region, count, 'event');

const came = (region: Region, missed: MissedEvents | null): Html | false =>
  missed !== null &&
  html`<p>${
    isUncertain(missed)
      ? 'Events may have come in meanwhile.'
      : hasMissed(missed)
        ? html`<strong>${eventsText(region, missed)}</strong> came in meanwhile.`
        : 'No events have come in meanwhile.'
  }</p>`;

function resumeForm(context: PageContext, { endpoint, missed, region }: EndpointActions): Html {
  const button = (value: string, text: string, tone: string) =>
    html`<button type="submit" id="resume-${value}" name="missed" value="${value}" class="${tone}">${text}</button>`;
  // Without a number they can be sent all the same.
  const buttons =
    missed !== null && !hasMissed(missed)
      ? button('leave', 'Resume', 'primary')
      : html`${button(
          'send',
          missed && !isUncertain(missed)
            ? `Resume and send ${eventsText(region, missed)}`
            : 'Resume and send what came in',
          'primary',
        )}
${button('leave', missed?.count === 1 ? 'Resume without it' : 'Resume without them', '')}`;
  return postForm(context, {
    action: `${pathOf(endpoint)}/resume`,
    id: 'resume',
    body: html`<div class="actions">${buttons}</div>`,
  });
}

/** Whether all of it has been sent before: a partial count does not show that. */
const isSent = ({ to, is_partial }: MissedEvents, replays: Replay[] | null) =>
  is_partial &&
  replays?.some((replay) => replay.kind === 'missed' && replay.to === to && replay.status === 'done');

/** Offers what came in before it was resumed, unless it is just being sent. */
function lateForm(
  context: PageContext,
  { endpoint, missed, replays, region }: EndpointActions,
): Html | false {
  const isSending = replays?.some(({ status }) => status === 'running') ?? true;
  if (missed === null || missed.to === null || !hasMissed(missed) || isSending || isSent(missed, replays))
    return false;
  const isOne = missed.count === 1 && !missed.is_partial;
  return postForm(context, {
    action: `${pathOf(endpoint)}/replays`,
    look: 'notice waiting stack',
    body: html`<input type="hidden" name="kind" value="missed">
<p>${
      isUncertain(missed)
        ? html`Events may have come in before it was resumed ${momentIn(region, missed.to)} that have not been sent.`
        : html`${eventsText(region, missed)} came in before it was resumed ${momentIn(region, missed.to)}, and ${
            isOne ? 'has' : 'have'
          } not been sent.`
    }</p>
<div class="actions"><button type="submit" id="send-missed">Send ${isOne ? 'it' : 'them'}</button></div>`,
  });
}
