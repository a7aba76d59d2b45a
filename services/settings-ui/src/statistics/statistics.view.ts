import { type RequestStatistics, STATISTICS_HOURS, type Usage } from '@frontdesk/contracts';
import { barChart } from '../charts/bars.view.ts';
import { sumOf } from '../charts/chart.rules.ts';
import { hourColumns } from '../charts/columns.rules.ts';
import { chartPatterns } from '../charts/frame.view.ts';
import { usageMeters } from '../integrations/usage.view.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import { countText } from '../region/words.rules.ts';
import { linkTo, parts, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { STATISTICS } from '../ui/navigation.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { card } from '../ui/panel.view.ts';
import { appointmentsCard } from './appointments.view.ts';
import { callsCard, sentimentCard } from './calls.view.ts';
import { deliveriesCard, latencyCard } from './deliveries.view.ts';
import type { Statistics } from './statistics.rules.ts';

/** How the business has done lately. Times are those of its own zone. */
export function statisticsPage(context: PageContext, statistics: Statistics): string {
  const { tenant, appointments, calls, deliveries, requests, usage, endpoints } = statistics;
  const region = regionOf({ tenant });
  return layout(context, {
    title: 'Statistics',
    at: STATISTICS,
    lead: html`${tenant && html`${tenant.name} · `}Times are in ${region.zone}`,
    body: html`${chartPatterns()}<div class="statistics">
${appointmentsCard(context, appointments, region)}
${callsCard(context, calls, region)}
${sentimentCard(context, calls, region)}
${deliveries !== undefined && html`${deliveriesCard(deliveries, endpoints, region)}${latencyCard(deliveries, region)}`}
${requestsCard(context, { requests, usage, region })}</div>`,
  });
}

const KEYS = '/settings/api#keys';

interface RequestsCard {
  requests: RequestStatistics | null;
  usage: Usage | null;
  region: Region;
}

const requestsCard = (context: PageContext, { requests, usage, region }: RequestsCard): Html =>
  card({
    id: 'requests',
    title: 'API requests',
    isWide: true,
    more: linkTo(context, KEYS, 'API keys'),
    body: html`<div class="beside">
<div class="stack">
${requests !== null && total(requests, region)}${
  usage === null ? unavailable('The plan’s usage') : usageMeters(usage, region)
}</div>
<div>${requests === null ? unavailable('The requests') : byHour(context, requests, region)}</div></div>`,
  });

function total({ hours }: RequestStatistics, region: Region): Html {
  const [allowed, denied] = [sumOf(hours, (hour) => hour.allowed), sumOf(hours, (hour) => hour.denied)];
  return html`<p class="figure"><strong>${countText(region, allowed)}</strong> <span>${parts(
    `in ${STATISTICS_HOURS} hours`,
    denied > 0 && `${countText(region, denied)} refused by the plan’s limits`,
  )}</span></p>`;
}

function byHour(context: PageContext, { hours }: RequestStatistics, region: Region): Html {
  if (sumOf(hours, ({ allowed, denied }) => allowed + denied) === 0)
    return html`<p class="empty">No requests in the last ${STATISTICS_HOURS} hours.${
      mayUse(context, 'GET', KEYS) &&
      html` <a href="${KEYS}">Create a key</a>, and try it with the command that comes with it.`
    }</p>`;
  return barChart({
    region,
    name: `API requests by hour, the last ${STATISTICS_HOURS} hours`,
    columnsAre: 'Hour',
    columns: hourColumns(hours, region),
    series: [
      { name: 'Answered', tone: 'main', values: hours.map((hour) => hour.allowed) },
      { name: 'Refused by the limits', tone: 'bad', values: hours.map((hour) => hour.denied) },
    ],
    format: (value) => countText(region, value),
  });
}
