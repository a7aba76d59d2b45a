import type { SystemScope } from '@frontdesk/database';
import type { Basis, PlannedDelivery, Portion } from '../domain/fan-out.ts';
import { type HeldEndpoint, receive } from './event.statements.ts';
import type { Claim } from './queue.repository.ts';

/** What is leased as it is written, and to whom. */
interface PreLease {
  preLeased: ReadonlySet<PlannedDelivery>;
  owner: number | null;
  token: string;
  leaseMs: number;
}

interface KeptPortion {
  /** Of the deliveries that were written. */
  count: number;
  leased: { planned: PlannedDelivery; claim: Claim }[];
  /** Endpoint id → how often it has failed on end; without those that are active no more. */
  failures: ReadonlyMap<number, number>;
}

/** Writes events that are new. Null where endpoints have changed since the plan: nothing is written. */
export async function insertEvents(
  system: SystemScope,
  { bodies, deliveries }: Portion,
  basis: Basis,
  { preLeased, owner, token, leaseMs }: PreLease,
): Promise<KeptPortion | null> {
  const row = await system.one(receive, {
    ...columnsOf({ bodies, deliveries }),
    arePreLeased: deliveries.map((delivery) => preLeased.has(delivery)),
    ...{ token, owner, leaseMs },
    checkedTenantIds: [...basis.checkedTenantIds],
    knownEndpointIds: basis.endpoints.map(({ id }) => id),
    knownVersions: basis.endpoints.map(({ version }) => version),
  });
  if (row.is_stale) return null;
  const { ids, positions, are_leased, due_at_ms } = row;
  const sent = bodies.map(({ body }) => Buffer.from(body));
  const endpoints = new Map((row.endpoints ?? []).map((endpoint) => [endpoint[0], endpoint]));
  const leased = (ids ?? []).flatMap((id, index) => {
    if (!are_leased?.[index]) return [];
    const planned = deliveries[(positions?.[index] ?? 0) - 1] as PlannedDelivery;
    const body = sent[planned.bodyPosition - 1] as Buffer;
    const endpoint = endpoints.get(planned.endpoint.id) as HeldEndpoint;
    return [{ planned, claim: { ...claimOf(planned, endpoint), body, id, due_at_ms, lease_token: token } }];
  });
  const failures = new Map([...endpoints].map(([id, [, , , , , count]]) => [id, count]));
  return { count: ids?.length ?? 0, leased, failures };
}

/** All but what comes with its row: the body, the id, since when it is due, and the lease. */
function claimOf(
  { endpoint, eventId, name, held, traceparent }: PlannedDelivery,
  [endpoint_id, url, secret, previous_secret, endpoint_version, consecutive_failures]: HeldEndpoint,
) {
  const { tenant_id } = endpoint;
  const sentWith = { url, secret, previous_secret, endpoint_version, consecutive_failures };
  const event = { event_id: eventId, name, traceparent };
  return { tenant_id, endpoint_id, ...event, attempt_count: 0, held, ...sentWith };
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
    traceparents: deliveries.map((row) => row.traceparent),
  };
}
