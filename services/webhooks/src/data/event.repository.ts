import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';
import { fanOut, type PlannedDelivery, type Portion, type SubscribedEndpoint } from '../domain/fan-out.ts';
import { type HeldEndpoint, insertReceived } from './event.statements.ts';
import { createKnownEndpoints } from './known-endpoints.ts';
import type { Claim } from './queue.repository.ts';

/** Taken in by one statement: it takes a fraction of a second, whatever a tenant's endpoints make of its events. */
const PORTION = { deliveries: 5_000, bytes: 8 * 1024 * 1024 };
/** The last one is checked no more: a tenant whose endpoints change all the time must get its events, too. */
const MAX_PLANS = 3;

/** Who may send deliveries at once, and how many: the process that takes their events in. */
export interface Lender {
  /** Takes the room for one delivery, where there is any; the delivery's result gives it back. */
  take(delivery: PlannedDelivery): boolean;
  giveBack(delivery: PlannedDelivery): void;
  /** Whom this process's leases belong to; null while it may hold none. */
  owner(): number | null;
  leaseMs: number;
}

interface ReceivedDeliveries {
  /** Leased already, to be sent now. */
  claims: Claim[];
  /** How many wait to be claimed. */
  waiting: number;
}

/** The endpoints that deliveries were planned by, and the tenants whose endpoints must still be these. */
interface Basis {
  checkedTenantIds: readonly number[];
  endpoints: readonly SubscribedEndpoint[];
}

export interface EventRepository {
  /**
   * Keeps the events that are new and a delivery for each subscribed endpoint. As many as there is room for are born
   * leased, so that nobody needs to look for them. Many deliveries are kept in portions: each yielded one is there for good,
   * and when the events come again after a failure, only what is missing is added.
   */
  receive(events: readonly DomainEvent[], lender: Lender): AsyncGenerator<ReceivedDeliveries>;
}

export function createEventRepository(database: Pick<Database, 'system'>): EventRepository {
  const { system } = database;
  const known = createKnownEndpoints(database);

  /** What has come of a portion; null where the endpoints have changed. */
  const keep = async (
    { bodies, deliveries }: Portion,
    basis: Basis,
    lender: Lender,
  ): Promise<ReceivedDeliveries | null> => {
    const owner = lender.owner();
    const token = randomUUID();
    const lent = new Set(deliveries.filter((delivery) => owner !== null && lender.take(delivery)));
    try {
      const areLent = deliveries.map((delivery) => lent.has(delivery));
      const { is_stale, ids, positions, endpoints, due_at_ms } = await system.one(insertReceived, {
        ...columnsOf({ bodies, deliveries }),
        areLent,
        token,
        owner,
        leaseMs: lender.leaseMs,
        checkedTenantIds: [...basis.checkedTenantIds],
        knownEndpointIds: basis.endpoints.map(({ id }) => id),
        knownVersions: basis.endpoints.map(({ version }) => version),
      });
      if (is_stale) return null;
      const sent = bodies.map(({ body }) => Buffer.from(body));
      const held = new Map((endpoints ?? []).map((endpoint) => [endpoint[0], endpoint]));
      for (const { endpoint } of deliveries) known.learn(endpoint, held.get(endpoint.id)?.[5] ?? null);
      // Leases of a session that is gone are for others to take up.
      const isLost = lender.owner() !== owner;
      const claims: Claim[] = [];
      for (const [index, id] of (ids ?? []).entries()) {
        const delivery = deliveries[(positions?.[index] ?? 0) - 1] as PlannedDelivery;
        const endpoint = held.get(delivery.endpoint.id) as HeldEndpoint;
        const [, , , , , failures, isSuspended] = endpoint;
        const mayBeLent = failures < FAILURES_TO_OPEN && !isSuspended;
        if (isLost || !mayBeLent || !lent.delete(delivery)) continue;
        const body = sent[delivery.bodyPosition - 1] as Buffer;
        claims.push({
          ...claimOf(delivery, endpoint),
          body,
          id,
          due_at_ms,
          lease_token: token,
          is_lent: true,
        });
      }
      return { claims, waiting: (ids?.length ?? 0) - claims.length };
    } finally {
      // What was not stored: an event that had come before, an endpoint that is over, or everything.
      for (const delivery of lent) lender.giveBack(delivery);
    }
  };

  /** Whether all is kept; portions before one that is not are there for good. */
  async function* keepAll(
    events: readonly DomainEvent[],
    basis: Basis,
    lender: Lender,
  ): AsyncGenerator<ReceivedDeliveries, boolean> {
    for (const portion of fanOut(events, basis.endpoints, PORTION)) {
      const kept = await keep(portion, basis, lender);
      if (kept === null) return false;
      yield kept;
    }
    return true;
  }

  return {
    async *receive(events, lender) {
      const tenantIds = [...new Set(events.map((event) => event.tenant_id))];
      for (let nth = 1; ; nth += 1) {
        const endpoints = await known.ofTenants(tenantIds);
        const basis = { checkedTenantIds: nth < MAX_PLANS ? tenantIds : [], endpoints };
        if (yield* keepAll(events, basis, lender)) return;
        known.forget(tenantIds);
      }
    },
  };
}

function claimOf(
  { endpoint, eventId, held }: PlannedDelivery,
  [endpoint_id, url, secret, previous_secret, endpoint_version, consecutive_failures]: HeldEndpoint,
): Omit<Claim, 'body' | 'id' | 'due_at_ms' | 'lease_token' | 'is_lent'> {
  const { tenant_id } = endpoint;
  const sentWith = { url, secret, previous_secret, endpoint_version, consecutive_failures };
  return { tenant_id, endpoint_id, event_id: eventId, attempt_count: 0, held, ...sentWith };
}

function columnsOf({ bodies, deliveries }: Portion) {
  return {
    tenantIds: bodies.map((row) => row.tenantId),
    eventIds: bodies.map((row) => row.eventId),
    names: bodies.map((row) => row.name),
    isCanonical: bodies.map((row) => row.isCanonical),
    sequences: bodies.map((row) => row.sequence),
    occurredAts: bodies.map((row) => row.occurredAt),
    bodies: bodies.map((row) => row.body),
    deliveryTenantIds: deliveries.map(({ endpoint }) => endpoint.tenant_id),
    endpointIds: deliveries.map(({ endpoint }) => endpoint.id),
    bodyPositions: deliveries.map((row) => row.bodyPosition),
    deliveryNames: deliveries.map((row) => row.name),
  };
}
