import { type EndpointAdmin, MAX_COUNTED_RECENT } from '@frontdesk/contracts';
import { failureWords } from '../records/attempt-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html, type Renderable } from '../ui/html.ts';
import { momentIn } from '../ui/times.view.ts';

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

const LINES: Record<Status, (endpoint: EndpointAdmin, region: Region) => Renderable> = {
  new: () => 'Nothing has been sent to it yet.',
  untried: () => 'Nothing has been sent since it was last resumed or changed.',
  healthy: () => 'Deliveries are arriving.',
  failing: ({ health }, region) => {
    const since = momentIn(region, health.failing_since ?? '');
    return html`Failing since ${since}: ${failureWords(health.last_failure)}. ${nextAttempt(health, region)}`;
  },
  suspended: () => 'Deliveries wait while this business is suspended.',
  paused: ({ paused_at }, region) =>
    html`Paused${paused_at && html` since ${momentIn(region, paused_at)}`}. Events are not sent.`,
  disabled: ({ disabled_reason, paused_at }, region) =>
    html`Disabled, because ${REASONS[disabled_reason ?? ''] ?? disabled_reason}. Nothing has been sent${
      paused_at && html` since ${momentIn(region, paused_at)}`
    }.`,
};

function nextAttempt({ next_attempt_at, waiting }: EndpointAdmin['health'], region: Region): Renderable {
  if (next_attempt_at !== null) return html`Next attempt ${momentIn(region, next_attempt_at)}.`;
  return waiting > 0 ? 'An attempt is in progress.' : 'The next attempt comes with the next event.';
}

/** How an endpoint fares, in one line: the list of endpoints, an endpoint’s page and the statistics all say this. */
export const healthLine = (endpoint: EndpointAdmin, region: Region): Html => {
  const { status } = endpoint.health;
  const [, word] = BADGES[status];
  const shown = badge(...BADGES[status]);
  const line = LINES[status](endpoint, region);
  return html`<p class="health" data-news="${word}: ${endpoint.url}">${shown} <span>${line}</span></p>`;
};

/** The line, and what has been counted beside it, each count with its period. */
export const endpointHealth = (endpoint: EndpointAdmin, region: Region): Html =>
  html`${healthLine(endpoint, region)}${counts(endpoint, region)}`;

function counts({ health }: EndpointAdmin, region: Region): Html | false {
  const { recent, waiting, dropped_deliveries: dropped } = health;
  const { delivered, failed } = recent;
  const period =
    delivered + failed >= MAX_COUNTED_RECENT
      ? `Last ${countText(region, MAX_COUNTED_RECENT)} deliveries`
      : 'Last 24 hours';
  const parts = [
    delivered + failed > 0 &&
      `${period}: ${countText(region, delivered)} delivered, ${countText(region, failed)} failed`,
    waiting > 0 &&
      `Now: ${countText(region, waiting)}${waiting >= MAX_COUNTED_RECENT ? ' or more' : ''} pending`,
    dropped > 0 && `Dropped unsent, after waiting too long: ${countText(region, dropped)}`,
  ].filter((part) => part !== false);
  return parts.length > 0 && html`<p class="hint">${parts.join(' · ')}</p>`;
}
