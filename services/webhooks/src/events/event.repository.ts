import type { SystemScope } from '@frontdesk/database';
import { receive } from './event.statements.ts';
import type { Basis, Portion } from './fan-out.rules.ts';

/** Writes events that are new. @returns the number of deliveries; null where endpoints have changed since the plan: nothing is written */
export async function insertEvents(
  system: SystemScope,
  { events, deliveries }: Portion,
  basis: Basis,
): Promise<number | null> {
  const { is_stale, deliveries: count } = await system.one(receive, {
    tenantIds: events.map((row) => row.tenantId),
    eventIds: events.map((row) => row.eventId),
    names: events.map((row) => row.name),
    sequences: events.map((row) => row.sequence),
    occurredAts: events.map((row) => row.occurredAt),
    bodies: events.map((row) => row.body),
    deliveryTenantIds: deliveries.map(({ endpoint }) => endpoint.tenant_id),
    endpointIds: deliveries.map(({ endpoint }) => endpoint.id),
    eventPositions: deliveries.map((row) => row.eventPosition),
    deliveryNames: deliveries.map((row) => row.name),
    traceparents: deliveries.map((row) => row.traceparent),
    checkedTenantIds: [...basis.checkedTenantIds],
    knownEndpointIds: basis.endpoints.map(({ id }) => id),
    knownVersions: basis.endpoints.map(({ version }) => version),
  });
  return is_stale ? null : count;
}
