import {
  type DeliveryStatistics,
  type EndpointAdmin,
  MAX_COUNTED_WAITING,
  STATISTICS_HOURS,
} from '@frontdesk/contracts';
import { barChart } from '../charts/bars.view.ts';
import { sumOf } from '../charts/chart.rules.ts';
import { hourColumns } from '../charts/columns.rules.ts';
import { lineChart } from '../charts/lines.view.ts';
import { healthLine } from '../endpoints/health.view.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, latencyText, plural } from '../region/words.rules.ts';
import { parts, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { card } from '../ui/panel.view.ts';
import { type Statistics, shareText } from './statistics.rules.ts';

const SHOWN = 3;
const WELL = new Set<EndpointAdmin['health']['status']>(['healthy', 'new']);

export function deliveriesCard(
  deliveries: DeliveryStatistics | null,
  endpoints: Statistics['endpoints'],
  region: Region,
): Html {
  const { body, ...base } = deliveriesPart(deliveries, region);
  return card({ ...base, body: html`${body}${unwell(endpoints ?? [], region)}` });
}

/** Endpoints that are not receiving events. */
function unwell(endpoints: readonly EndpointAdmin[], region: Region): Html | false {
  const found = endpoints.filter(({ health }) => !WELL.has(health.status));
  const more = found.length - SHOWN;
  return (
    found.length > 0 &&
    html`<ul class="unwell">${found.slice(0, SHOWN).map(
      (endpoint) =>
        html`<li>
<a href="/settings/api/webhooks/${endpoint.id}">${endpoint.url}</a>${healthLine(endpoint, region)}</li>`,
    )}</ul>${
      more > 0 &&
      html`<p class="hint"><a href="/settings/api#webhooks">and ${plural(region, more, 'more endpoint')}</a></p>`
    }`
  );
}

function deliveriesPart(deliveries: DeliveryStatistics | null, region: Region): Parameters<typeof card>[0] {
  const base = { id: 'deliveries', title: 'Webhook deliveries' };
  if (deliveries === null) return { ...base, body: unavailable('The deliveries') };
  const more = html`<a href="/settings/api#deliveries">Delivery log</a>`;
  const { hours, waiting, endpoints } = deliveries;
  const [delivered, failed] = [sumOf(hours, (hour) => hour.delivered), sumOf(hours, (hour) => hour.failed)];
  if (delivered + failed === 0)
    return { ...base, more: endpoints > 0 && more, body: empty(region, endpoints, waiting) };
  return {
    ...base,
    more,
    figure: {
      value: shareText(region, delivered, delivered + failed),
      of: parts(
        `of ${countText(region, delivered + failed)} delivered in ${STATISTICS_HOURS} hours`,
        failed > 0 && `${countText(region, failed)} failed`,
        waiting > 0 && waitingText(region, waiting),
      ),
    },
    body: barChart({
      region,
      name: `Webhook deliveries by hour, the last ${STATISTICS_HOURS} hours`,
      columnsAre: 'Hour',
      columns: hourColumns(hours, region),
      series: [
        { name: 'Delivered', tone: 'main', values: hours.map((hour) => hour.delivered) },
        { name: 'Failed', tone: 'bad', values: hours.map((hour) => hour.failed) },
      ],
      format: (value) => countText(region, value),
    }),
  };
}

const waitingText = (region: Region, waiting: number) =>
  `${countText(region, waiting)}${waiting === MAX_COUNTED_WAITING ? ' or more' : ''} pending`;

const empty = (region: Region, endpoints: number, waiting: number): Html =>
  endpoints === 0
    ? html`<p class="empty">No webhook endpoints yet.
<a href="/settings/api#webhooks">Add the URL of your receiver</a>, then send it a test event.</p>`
    : html`<p class="empty">Nothing was sent in the last ${STATISTICS_HOURS} hours${
        waiting > 0 && `, and ${waitingText(region, waiting)}`
      }. <a href="/settings/api#webhooks">Send your endpoint a test event</a> to check that it responds.</p>`;

export function latencyCard(deliveries: DeliveryStatistics | null, region: Region): Html {
  const base = { id: 'latency', title: 'Time to delivery' };
  if (deliveries === null) return card({ ...base, body: unavailable('The times of deliveries') });
  const { hours, latency } = deliveries;
  if (latency === null)
    return card({
      ...base,
      body: html`<p class="empty">No deliveries arrived in the last ${STATISTICS_HOURS} hours.
Once one does, this shows the time from the event to your receiver’s answer.</p>`,
    });
  return card({
    ...base,
    figure: {
      value: latencyText(region, latency.p50_ms),
      of: parts(
        'is typical',
        `${shareText(region, 95, 100)} arrive within ${latencyText(region, latency.p95_ms)}`,
      ),
    },
    body: lineChart({
      region,
      name: `Time to delivery by hour, the last ${STATISTICS_HOURS} hours`,
      columnsAre: 'Hour',
      columns: hourColumns(hours, region),
      series: [
        {
          name: 'Half arrive within',
          tone: 'main',
          values: hours.map((hour) => hour.latency?.p50_ms ?? null),
        },
        {
          name: `${shareText(region, 95, 100)} arrive within`,
          tone: 'plain',
          values: hours.map((hour) => hour.latency?.p95_ms ?? null),
        },
      ],
      format: (value) => latencyText(region, value),
    }),
  });
}
