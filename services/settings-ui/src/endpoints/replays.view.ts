import type { EndpointAdmin, Replay } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { badge, confirmation, formMessage, postForm, unavailable } from '../ui/controls.view.ts';
import { flagInput, inputField } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { momentIn, timeIn } from '../ui/times.view.ts';

export interface ReplaysCard {
  endpoint: EndpointAdmin;
  /** Null where the webhooks service can't say. */
  failedCount: number | null;
  replays: Replay[] | null;
  form: FormState;
  region: Region;
}

export function sendAgainCard(context: PageContext, card: ReplaysCard): Html {
  const { endpoint, form, region } = card;
  return panel({
    id: 'again',
    isPlace: true,
    title: 'Resend and replay',
    body: html`<p>Sends the same events with the same bodies again. A receiver that checks event ids handles none of them twice.</p>
${formMessage(form)}
${
  endpoint.is_active
    ? html`<h3>Failed deliveries</h3><div id="failed-deliveries">${failedPart(context, card)}</div>
<h3>Events of a period</h3>${windowForm(context, endpoint, form, region)}`
    : notice(
        'waiting',
        html`Nothing can be sent while the endpoint is ${endpoint.state}.
<a href="#resume">Resume it</a> first.`,
      )
}
`,
  });
}

/** Failed is what has used up its attempts: the others are still tried. */
export function failedPart(
  context: PageContext,
  { endpoint, failedCount, region }: Pick<ReplaysCard, 'endpoint' | 'failedCount' | 'region'>,
): Html {
  if (failedCount === 0) return html`<p>Nothing to resend: no delivery has used up its attempts.</p>`;
  const about =
    failedCount === null
      ? 'All failed deliveries'
      : `About ${plural(region, failedCount, 'delivery', 'deliveries')}`;
  return html`<div class="actions">${confirmation(context, {
    id: 'resend-failed',
    button:
      failedCount === null ? 'Resend all failed' : `Resend all failed (${countText(region, failedCount)})`,
    of: `to ${endpoint.url}`,
    title: 'Resend all failed deliveries?',
    text: html`${about}, each with three more attempts, to <strong>${endpoint.url}</strong>.`,
    action: `/settings/api/webhooks/${endpoint.id}/replays`,
    confirm: 'Resend all',
    isHarmless: true,
    fields: html`<input type="hidden" name="kind" value="failed">`,
  })}</div>`;
}

const windowForm = (context: PageContext, { id }: EndpointAdmin, form: FormState, region: Region): Html =>
  postForm(context, {
    action: `/settings/api/webhooks/${id}/replays`,
    look: 'stack replay-window',
    body: html`<input type="hidden" name="kind" value="window"><input type="hidden" name="timezone" value="${region.zone}">
<p class="hint">Sends what the endpoint has not received from this period:
failed deliveries, and events that came in while it was paused. Times are in ${region.zone}.</p>
<div class="row">${inputField(form, { name: 'from', label: 'From', type: 'datetime-local' })}
${inputField(form, { name: 'to', label: 'To', type: 'datetime-local' })}</div>
${flagInput(form, { name: 'include_delivered', label: 'Include what was already delivered' })}
<div class="actions"><button type="submit">Replay</button></div>`,
  });

export const replaysCard = (context: PageContext, card: ReplaysCard): Html =>
  panel({
    id: 'replays',
    isPlace: true,
    title: 'Replays',
    body: html`<p class="for-reader" role="status" id="live-news"></p>
<div id="replay-list">${replayList(context, card)}</div>`,
  });

/** The part of the card that changes by itself. */
export function replayList(
  context: PageContext,
  { endpoint, replays, region }: Pick<ReplaysCard, 'endpoint' | 'replays' | 'region'>,
): Html {
  if (replays === null) return unavailable('The replays');
  if (replays.length === 0) return html`<p class="empty">No replays yet.</p>`;
  return html`<ul class="endpoints">${replays.map((replay) => item(context, replay, endpoint, region))}</ul>`;
}

const STATES = {
  running: () => badge('waiting', 'Running'),
  done: () => badge('good', 'Done'),
  cancelled: () => badge('off', 'Cancelled'),
};

function item(context: PageContext, replay: Replay, endpoint: EndpointAdmin, region: Region): Html {
  const { id, status, total, queued, skipped, created_at, finished_at } = replay;
  const done = status === 'done' ? total : Math.min(queued + skipped, total);
  const counts = `${countText(region, queued)} queued, ${countText(region, skipped)} left out`;
  return html`<li><div class="heading"><h3>${title(replay, region)}</h3>${STATES[status]()}</div>
${
  total > 0 &&
  html`<progress max="${total}" value="${done}" aria-label="Replay ${id}: ${done} of ${total}"></progress>`
}
<p data-news="${status === 'running' ? false : `Replay ${id}: ${status}, ${counts}.`}">${
    total === 0
      ? 'There was nothing to send.'
      : `${countText(region, done)} of ${countText(region, total)}: ${counts}`
  }</p>
<p class="hint">Started ${momentIn(region, created_at)}${
    finished_at && html` · ${status === 'done' ? 'Done' : 'Stopped'} ${momentIn(region, finished_at)}`
  }${skipped > 0 && ' · Skipped: delivered meanwhile, already pending, or at a hundred attempts'}</p>
${status === 'running' && !endpoint.is_active && notice('waiting', 'It waits until the endpoint is resumed.')}
${
  status === 'running' &&
  !context.isSuspended &&
  postForm(context, {
    action: `/settings/api/replays/${id}/cancel`,
    look: 'inline',
    body: html`<button type="submit" class="quiet" id="cancel-${id}">Stop<span class="for-reader"> replay ${id}</span></button>`,
  })
}</li>`;
}

function title({ kind, from, to, include_delivered }: Replay, region: Region): Html {
  if (kind === 'failed' || from === null || to === null) return html`All failed deliveries`;
  if (kind === 'missed') return html`Events that came in before it was resumed ${momentIn(region, to)}`;
  return html`${
    include_delivered ? 'Everything' : 'What was missed'
  } from ${timeIn(region, from)} up to ${timeIn(region, to)}`;
}
