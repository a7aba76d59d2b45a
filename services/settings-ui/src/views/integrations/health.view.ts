import { type EndpointAdmin, MAX_COUNTED_RECENT } from '@frontdesk/contracts';
import { countText } from '../../domain/words.ts';
import { type Html, html, type Renderable } from '../shared/html.ts';
import { badge } from '../shared/parts.ts';
import { momentIn } from '../shared/times.ts';
import { failureWords } from './failure-words.ts';

type Status = EndpointAdmin['health']['status'];

const BADGES: Record<Status, Parameters<typeof badge>> = {
  new: ['off', 'Nothing sent yet'],
  untried: ['waiting', 'Not tried yet'],
  healthy: ['good', 'Healthy'],
  failing: ['bad', 'Failing'],
  suspended: ['waiting', 'Suspended'],
  paused: ['off', 'Paused'],
  disabled: ['bad', 'Disabled'],
};

const REASONS: Record<string, string> = {
  gone: 'it answered that it is gone for good (410)',
  failing: 'nothing has reached it for days',
};

const LINES: Record<Status, (endpoint: EndpointAdmin, zone: string) => Renderable> = {
  new: () => 'Nothing has been sent to it yet.',
  untried: () => 'Nothing has been sent since it was last resumed or changed.',
  healthy: () => 'Deliveries are arriving.',
  failing: ({ health }, zone) =>
    html`Failing since ${momentIn(zone, health.failing_since ?? '')}: ${failureWords(health.last_failure)}. ${nextAttempt(health, zone)}`,
  suspended: () => 'Deliveries wait while this business is suspended.',
  paused: ({ paused_at }, zone) =>
    html`Paused${paused_at && html` since ${momentIn(zone, paused_at)}`}. Events are not sent.`,
  disabled: ({ disabled_reason, paused_at }, zone) =>
    html`Disabled, because ${REASONS[disabled_reason ?? ''] ?? disabled_reason}. Nothing has been sent${paused_at && html` since ${momentIn(zone, paused_at)}`}.`,
};

function nextAttempt({ next_attempt_at, waiting }: EndpointAdmin['health'], zone: string): Renderable {
  if (next_attempt_at !== null) return html`Next attempt ${momentIn(zone, next_attempt_at)}.`;
  return waiting > 0 ? 'An attempt is in progress.' : 'The next attempt comes with the next event.';
}

/** How an endpoint fares, in one line: the list of endpoints, an endpoint’s page and the overview all say this. */
export const healthLine = (endpoint: EndpointAdmin, zone: string): Html => {
  const { status } = endpoint.health;
  const [, word] = BADGES[status];
  return html`<p class="health" data-news="${word}: ${endpoint.url}">${badge(...BADGES[status])} <span>${LINES[status](endpoint, zone)}</span></p>`;
};

/** The line, and what has been counted beside it, each count with its period. */
export const endpointHealth = (endpoint: EndpointAdmin, zone: string): Html =>
  html`${healthLine(endpoint, zone)}${counts(endpoint)}`;

function counts({ health: { recent, waiting, dropped_deliveries: dropped } }: EndpointAdmin): Html | false {
  const { delivered, failed } = recent;
  const period =
    delivered + failed >= MAX_COUNTED_RECENT
      ? `Last ${countText(MAX_COUNTED_RECENT)} deliveries`
      : 'Last 24 hours';
  const parts = [
    delivered + failed > 0 && `${period}: ${countText(delivered)} delivered, ${countText(failed)} failed`,
    waiting > 0 && `Now: ${countText(waiting)}${waiting >= MAX_COUNTED_RECENT ? ' or more' : ''} pending`,
    dropped > 0 && `Dropped unsent, after waiting too long: ${countText(dropped)}`,
  ].filter((part) => part !== false);
  return parts.length > 0 && html`<p class="hint">${parts.join(' · ')}</p>`;
}
