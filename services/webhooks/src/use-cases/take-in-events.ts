import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@frontdesk/contracts';
import type { SystemScope } from '@frontdesk/database';
import { insertEvents } from '../data/event.repository.ts';
import type { Claim } from '../data/queue.repository.ts';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';
import { type Basis, fanOut, type PlannedDelivery, type Portion } from '../domain/fan-out.ts';
import type { KnownEndpoints } from '../state/known-endpoints.ts';

/** Taken in by one statement: it takes a fraction of a second, whatever a tenant's endpoints make of its events. */
const PORTION = { deliveries: 5_000, bytes: 8 * 1024 * 1024 };
/** The last one is checked no more: a tenant whose endpoints change all the time must get its events, too. */
const MAX_PLANS = 3;

/** The sender of deliveries. It gets as many pre-leases as its limits allow, so that no claim is needed for them. */
export interface PreLeases {
  /** Counts one delivery against the limits, until its result is written. False where a limit is reached. */
  take(delivery: PlannedDelivery): boolean;
  giveBack(delivery: PlannedDelivery): void;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner(): number | null;
  leaseMs: number;
  send(claims: readonly Claim[]): void;
}

export interface Intake {
  system: SystemScope;
  endpoints: KnownEndpoints;
  preLeases: PreLeases;
  /** Deliveries have been queued, to be claimed by any process. */
  onWaiting: () => void;
}

/**
 * Keeps the events that are new and a delivery for each subscribed endpoint, and sends what is pre-leased. Many deliveries are kept
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
  for (const portion of fanOut(events, basis.endpoints, PORTION))
    if (!(await keep(portion, basis, intake))) return false;
  return true;
}

async function keep(portion: Portion, basis: Basis, intake: Intake): Promise<boolean> {
  const { system, preLeases, endpoints, onWaiting } = intake;
  const owner = preLeases.owner();
  const mayBeSent = ({ endpoint }: PlannedDelivery) =>
    owner !== null && endpoint.consecutive_failures < FAILURES_TO_OPEN;
  const unused = new Set(
    portion.deliveries.filter((planned) => mayBeSent(planned) && preLeases.take(planned)),
  );
  try {
    const kept = await insertEvents(system, portion, basis, {
      ...{ preLeased: unused, owner, token: randomUUID(), leaseMs: preLeases.leaseMs },
    });
    if (kept === null) return false;
    for (const { endpoint } of portion.deliveries)
      endpoints.learn(endpoint, kept.failures.get(endpoint.id) ?? null);
    // Leases of a session that is gone are for others to take up.
    const isLost = preLeases.owner() !== owner;
    const sent = isLost ? [] : kept.leased;
    for (const { planned } of sent) unused.delete(planned);
    preLeases.send(sent.map(({ claim }) => claim));
    if (kept.count > sent.length) onWaiting();
    return true;
  } finally {
    // What was not leased after all: an event that had come before, an endpoint that is over, or everything.
    for (const planned of unused) preLeases.giveBack(planned);
  }
}
