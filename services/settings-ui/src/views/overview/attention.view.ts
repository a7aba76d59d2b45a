import type { EndpointAdmin, QuotaName } from '@frontdesk/contracts';
import { MISSED, SOURCES } from '../../domain/calls/call-addresses.ts';
import type { Overview } from '../../domain/overview/business-overview.ts';
import { isFull, type QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { formatsOf } from '../../domain/shared/region-formats.ts';
import { countText } from '../../domain/shared/words.ts';
import { type Html, html } from '../shared/html.ts';
import { usedText } from '../shared/quota.view.ts';
import { card } from './card.ts';

/** Something to do: where, how much of it, and what. */
interface Task {
  href: string;
  tone: 'bad' | 'waiting';
  count: string;
  what: string;
  hint?: string;
}

/** What needs somebody today, each with a link to where it is done. */
export function attentionCard({ to_call_back, endpoints, quotas }: Overview, region: Region): Html {
  const tasks = [
    ...callBackTask(to_call_back, region),
    ...endpointTasks(endpoints ?? [], region),
    ...(quotas ?? []).map((use) => quotaTask(use, region)),
  ];
  const isKnown = to_call_back !== null && endpoints !== null && quotas !== null;
  const body =
    tasks.length > 0
      ? html`<ul class="to-do">${tasks.map(row)}</ul>`
      : isKnown &&
        html`<p class="all-well">Nothing needs you right now: nobody to call back, no failing webhooks, and no quota nearly used up.</p>`;
  return card({
    ...{ id: 'attention', title: 'Today', isWide: true },
    body: html`${body}${!isKnown && html`<p class="hint">Not everything can be checked right now. Try again in a moment.</p>`}`,
  });
}

const row = ({ href, tone, count, what, hint }: Task): Html =>
  html`<li><a href="${href}"><span class="count ${tone}">${count}</span> <span class="what">${what}${hint && html` <span class="hint">${hint}</span>`}</span></a></li>`;

const callBackTask = (count: number | null, region: Region): Task[] =>
  count === null || count === 0
    ? []
    : [
        {
          ...{ href: MISSED, tone: 'bad', count: countText(region, count) },
          what: `missed ${count === 1 ? 'caller' : 'callers'} to call back`,
        },
      ];

/** One row for all of them: the card of deliveries says more of each. */
function endpointTasks(endpoints: readonly EndpointAdmin[], region: Region): Task[] {
  const broken = endpoints.filter(({ health }) => ['failing', 'disabled'].includes(health.status));
  const [first] = broken;
  if (!first) return [];
  return [
    {
      href: broken.length === 1 ? `/settings/api/webhooks/${first.id}` : '/settings/api#webhooks',
      ...{ tone: 'bad', count: countText(region, broken.length) },
      what: `webhook ${broken.length === 1 ? 'endpoint receives' : 'endpoints receive'} nothing`,
      hint: broken.map(({ url }) => URL.parse(url)?.host ?? url).join(', '),
    },
  ];
}

/** Where records are removed, or seen. */
const PAGE_OF: Readonly<Record<QuotaName, string>> = {
  call_sources: SOURCES,
  call_messages_per_day: SOURCES,
  call_bytes_per_day: SOURCES,
  api_keys: '/settings/api#keys',
  admins: '/settings/people',
  staff: '/settings/business/staff',
  services: '/settings/business/services',
};

const quotaTask = (use: QuotaUse, region: Region): Task => ({
  href: PAGE_OF[use.name],
  tone: isFull(use) ? 'bad' : 'waiting',
  count: formatsOf(region).shares.format(Math.floor((100 * use.used) / use.allowed) / 100),
  what: usedText(region, use),
  hint: isFull(use) ? 'Your plan’s limit is reached' : 'Close to your plan’s limit',
});
