import { addTo } from '../domain/add-to.ts';

/** How many deliveries: in all, of one tenant, and to one endpoint. */
export interface Limits {
  total: number;
  perTenant: number;
  perEndpoint: number;
}

/** Whose a delivery is. Ids of endpoints are unique across tenants. */
export interface Taker {
  tenantId: number;
  endpointId: number;
}

/**
 * Counts deliveries against some limits. A tenant gets no more than half as much as would be left free, and an endpoint no more than half
 * of what would be left to its tenant: alone they get their whole limit; the more there are, the less each, and a newcomer always gets some.
 * Choudhury and Hahne, Dynamic queue length thresholds, 1998.
 */
export function createConcurrencyLimits({ total, perTenant, perEndpoint }: Limits) {
  const byEndpoint = new Map<number, number>();
  const byTenant = new Map<number, number>();
  const tenantOf = new Map<number, number>();
  let inUse = 0;

  const ofEndpoint = (id: number) => byEndpoint.get(id) ?? 0;
  const ofTenant = (id: number) => byTenant.get(id) ?? 0;
  /** A holder gets half of what is free once it is taken. */
  const leftFor = (has: number, limit: number, free: number) =>
    Math.max(0, Math.min(limit - has, Math.ceil((free - 2 * has) / 3)));
  /** How many more a tenant may have, as far as its endpoints may. */
  const leftForTenant = (id: number) => leftFor(ofTenant(id), perTenant, total - inUse);
  const leftForEndpoint = ({ tenantId, endpointId }: Taker) =>
    Math.min(
      leftFor(ofEndpoint(endpointId), perEndpoint, perTenant - ofTenant(tenantId)),
      leftForTenant(tenantId),
    );

  return {
    /** Counts one more. False where a limit is reached. */
    take(taker: Taker) {
      if (leftForEndpoint(taker) <= 0) return false;
      inUse += 1;
      addTo(byEndpoint, taker.endpointId, 1);
      addTo(byTenant, taker.tenantId, 1);
      tenantOf.set(taker.endpointId, taker.tenantId);
      return true;
    },
    giveBack({ tenantId, endpointId }: Taker) {
      inUse -= 1;
      addTo(byTenant, tenantId, -1);
      if (addTo(byEndpoint, endpointId, -1) <= 0) tenantOf.delete(endpointId);
    },
    leftForTenant,
    leftForEndpoint,
    free: () => total - inUse,
    inUse: () => inUse,
    ofEndpoint,
    ofTenant,
    /** Those that have any. */
    *endpoints(): Iterable<Taker> {
      for (const [endpointId, tenantId] of tenantOf) yield { tenantId, endpointId };
    },
  };
}
