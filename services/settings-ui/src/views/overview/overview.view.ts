import type { Overview } from '../../domain/overview/business-overview.ts';
import { dateIn, longDate } from '../../domain/shared/dates.ts';
import { regionOf } from '../../domain/shared/region.ts';
import { bookabilityNotice } from '../business/bookability.view.ts';
import { chartPatterns } from '../shared/charts/frame.ts';
import { html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { attentionCard } from './attention.view.ts';
import { callsCard, sentimentCard } from './calls.view.ts';
import { deliveriesCard, latencyCard } from './deliveries.view.ts';
import { firstStepsCard } from './first-steps.view.ts';
import { requestsCard } from './requests.view.ts';
import { todayCard } from './today.view.ts';

/** How the business does today and has done lately. Times are those of its own zone. */
export function overviewPage(context: PageContext, overview: Overview, now: number): string {
  const {
    tenant,
    appointments,
    bookability,
    calls,
    deliveries,
    requests,
    usage,
    first_steps: steps,
  } = overview;
  const region = regionOf({ tenant });
  const today = longDate(region, dateIn(region.zone, now));
  // A business without services has that among its first steps.
  const isNamedByStep = steps !== null && bookability?.obstacle === 'no_services';
  return layout(context, {
    title: 'Overview',
    at: '/settings',
    lead: html`${tenant && html`${tenant.name} · `}${today} · Times are in ${region.zone}`,
    body: html`${chartPatterns()}${!isNamedByStep && bookabilityNotice(bookability)}<div class="overview">
${steps && firstStepsCard(steps)}
${attentionCard(overview, region)}
${todayCard(appointments, region)}
${callsCard(calls, region)}
${sentimentCard(calls, region)}
${deliveriesCard(deliveries, overview.endpoints, region)}
${latencyCard(deliveries, region)}
${requestsCard({ requests, usage, region })}</div>`,
  });
}
