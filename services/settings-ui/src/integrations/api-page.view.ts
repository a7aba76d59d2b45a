import { deliveryLogCard } from '../deliveries/delivery-log.view.ts';
import { endpointsCard, type MadeSecret } from '../endpoints/endpoints.view.ts';
import type { DeliveryFilter } from '../records/delivery-filter.rules.ts';
import { quotaUse } from '../records/quota-use.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { errorMessage } from '../ui/controls.view.ts';
import { html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { EMPTY_FORM, type FormState, type PageContext } from '../ui/page-context.ts';
import type { ApiPageData } from './api-page-data.rules.ts';
import { isValid } from './key-status.rules.ts';
import { keysCard, type MadeKey } from './keys.view.ts';
import { usageCard } from './usage.view.ts';

/** What a change leaves on the page this once: a secret, or what was wrong. */
export interface JustNow {
  key?: MadeKey;
  secret?: MadeSecret;
  keyForm?: FormState;
  endpointForm?: FormState;
  /** What is wrong with a change that has no fields. */
  refusal?: string;
}

export function apiPage(
  context: PageContext,
  options: { settings: ApiPageData; filter: DeliveryFilter; publicUrl: string; justNow: JustNow },
): string {
  const { settings, filter, publicUrl, justNow } = options;
  const { tenant, keys, usage, endpoints, deliveries, gaps } = settings;
  const region = regionOf(settings);
  // One that has expired, or in whose place another works, counts no more.
  const inUse = keys?.filter((key) => key.rolled_to === null && isValid(key, Date.now())).length;
  const quota = quotaUse('api_keys', tenant, inUse);
  return layout(context, {
    title: 'API and webhooks',
    at: '/settings/api',
    lead: html`${
      tenant && html`${tenant.name} · `
    }<a href="/settings/api/docs">Documentation of the API and its events</a>`,
    body: html`${errorMessage(justNow.refusal)}
${keysCard(context, { keys, quota, made: justNow.key, form: justNow.keyForm ?? EMPTY_FORM, region, publicUrl })}
${usageCard(usage, region)}
${endpointsCard(context, { endpoints, made: justNow.secret, form: justNow.endpointForm ?? EMPTY_FORM, region })}
${deliveryLogCard({ deliveries, gaps, endpoints, filter, region })}`,
  });
}
