import type { Overview } from '../domain/business-overview.ts';
import { dateIn, longDate, zoneOf } from '../domain/dates.ts';
import { chartPatterns } from './charts/frame.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { callsCard, sentimentCard } from './overview/calls.view.ts';
import { deliveriesCard, latencyCard } from './overview/deliveries.view.ts';
import { requestsCard } from './overview/requests.view.ts';
import { todayCard } from './overview/today.view.ts';
import type { PageContext } from './page-context.ts';

/** How the business does today and has done lately. Times are those of its own zone. */
export function overviewPage(context: PageContext, overview: Overview, now: number): string {
  const { tenant, appointments, calls, deliveries, requests, usage } = overview;
  const zone = zoneOf({ tenant });
  const today = longDate(dateIn(zone, now));
  return layout(context, {
    title: 'Overview',
    at: '/settings',
    lead: html`${tenant && html`${tenant.name} · `}${today} · Times are in ${zone}`,
    body: html`${chartPatterns()}<div class="overview">
${todayCard(appointments)}
${callsCard(calls)}
${sentimentCard(calls)}
${deliveriesCard(deliveries, zone)}
${latencyCard(deliveries, zone)}
${requestsCard({ requests, usage, zone })}</div>`,
  });
}
