import type { DomainEvent } from '@frontdesk/contracts';
import type { SystemScope } from '@frontdesk/database';
import { insertEvents } from './event.repository.ts';
import { type Basis, fanOut } from './fan-out.rules.ts';
import type { KnownEndpoints } from './known-endpoints.cache.ts';

/** Taken in by one statement: it takes a fraction of a second, whatever a tenant's endpoints make of its events. */
const PORTION = { deliveries: 5_000, bytes: 8 * 1024 * 1024 };
/** The last one is checked no more: a tenant whose endpoints change all the time must get its events, too. */
const MAX_PLANS = 3;

export interface Intake {
  system: SystemScope;
  endpoints: KnownEndpoints;
  /** Deliveries have been queued, to be claimed by any process. */
  onQueued: () => void;
}

/**
 * Keeps the events that are new and a delivery for each subscribed endpoint. Many deliveries are kept
 * in portions: when the events come again after a failure, only what is missing is added.
 */
export async function takeInEvents(events: readonly DomainEvent[], intake: Intake): Promise<void> {
  const tenantIds = [...new Set(events.map((event) => event.tenant_id))];
  for (let nth = 1; ; nth += 1) {
    const endpoints = await intake.endpoints.ofTenants(tenantIds);
    const basis = { checkedTenantIds: nth < MAX_PLANS ? tenantIds : [], endpoints };
    if (await keepAll(events, basis, intake)) return;
    intake.endpoints.forget(tenantIds);
  }
}

/** @returns false where the endpoints have changed; the portions before that are kept */
async function keepAll(events: readonly DomainEvent[], basis: Basis, intake: Intake): Promise<boolean> {
  for (const portion of fanOut(events, basis.endpoints, PORTION)) {
    const deliveries = await insertEvents(intake.system, portion, basis);
    if (deliveries === null) return false;
    if (deliveries > 0) intake.onQueued();
    // An endpoint is over, or the event had come before.
    if (deliveries < portion.deliveries.length)
      intake.endpoints.forget(basis.endpoints.map(({ tenant_id }) => tenant_id));
  }
  return true;
}
