import type { RequestStatistics, Usage } from '@frontdesk/contracts';
import { sumOf } from '../../domain/overview/business-overview.ts';
import type { Region } from '../../domain/shared/region.ts';
import { countText } from '../../domain/shared/words.ts';
import { usageMeters } from '../integrations/usage.view.ts';
import { barChart } from '../shared/charts/bars.ts';
import { type Html, html } from '../shared/html.ts';
import { unavailable } from '../shared/parts.ts';
import { card, parts } from './card.ts';
import { hourColumns } from './columns.ts';

interface RequestsCard {
  requests: RequestStatistics | null;
  usage: Usage | null;
  region: Region;
}

export const requestsCard = ({ requests, usage, region }: RequestsCard): Html =>
  card({
    id: 'requests',
    title: 'API requests',
    isWide: true,
    more: { href: '/settings/api#keys', text: 'API keys' },
    body: html`<div class="beside">
<div class="stack">${requests !== null && total(requests, region)}${usage === null ? unavailable('The plan’s usage') : usageMeters(usage, region)}</div>
<div>${requests === null ? unavailable('The requests') : byHour(requests, region)}</div></div>`,
  });

function total({ hours }: RequestStatistics, region: Region): Html {
  const [allowed, denied] = [sumOf(hours, (hour) => hour.allowed), sumOf(hours, (hour) => hour.denied)];
  return html`<p class="figure"><strong>${countText(region, allowed)}</strong> <span>${parts('in 24 hours', denied > 0 && `${countText(region, denied)} refused by the plan’s limits`)}</span></p>`;
}

function byHour({ hours }: RequestStatistics, region: Region): Html {
  if (sumOf(hours, ({ allowed, denied }) => allowed + denied) === 0)
    return html`<p class="empty">No requests in the last 24 hours. <a href="/settings/api#keys">Create a key</a>, and try it with the command that comes with it.</p>`;
  return barChart({
    region,
    name: 'API requests by hour, the last 24 hours',
    columnsAre: 'Hour',
    columns: hourColumns(hours, region),
    series: [
      { name: 'Answered', tone: 'main', values: hours.map((hour) => hour.allowed) },
      { name: 'Refused by the limits', tone: 'bad', values: hours.map((hour) => hour.denied) },
    ],
    format: (value) => countText(region, value),
  });
}
