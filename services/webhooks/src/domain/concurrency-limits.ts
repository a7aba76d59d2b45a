import { addTo } from './add-to.ts';

/** How many deliveries: in all, of one tenant, and to one endpoint. */
export interface Shares {
  total: number;
  perTenant: number;
  perEndpoint: number;
}

export interface Taker {
  tenantId: number;
  endpointId: number;
}

/** Counts what is taken of some shares. Ids of endpoints are unique across tenants. */
export interface ConcurrencyLimits {
  /** Takes room for one delivery. False where there is none left, by whichever share. */
  take(taker: Taker): boolean;
  giveBack(endpointId: number): void;
  /** Whether a tenant may have another, if its endpoint may. */
  hasTenantShare(tenantId: number): boolean;
  free(): number;
  inUse(): number;
  ofEndpoint(endpointId: number): number;
  ofTenant(tenantId: number): number;
  /** Id → how many; without those that have none. */
  endpoints(): ReadonlyMap<number, number>;
  tenants(): Iterable<number>;
}

/**
 * @param options.leavesRoom whether a tenant gets no more than half as much as would be left free, and an endpoint no more than
 *   half of what would be left to its tenant. Alone they get their whole share; the more there are, the less each, and a
 *   newcomer always finds room. Choudhury and Hahne, Dynamic queue length thresholds, 1998.
 */
export function createConcurrencyLimits(
  { total, perTenant, perEndpoint }: Shares,
  { leavesRoom }: { leavesRoom: boolean },
): ConcurrencyLimits {
  const byEndpoint = new Map<number, number>();
  const byTenant = new Map<number, number>();
  const tenantOf = new Map<number, number>();
  let inUse = 0;

  const ofEndpoint = (id: number) => byEndpoint.get(id) ?? 0;
  const ofTenant = (id: number) => byTenant.get(id) ?? 0;
  const hasTenantShare = (tenantId: number) => {
    const has = ofTenant(tenantId);
    return inUse < total && has < perTenant && (!leavesRoom || has < (total - inUse) / 2);
  };
  const hasShare = ({ tenantId, endpointId }: Taker) => {
    const has = ofEndpoint(endpointId);
    if (has >= perEndpoint || !hasTenantShare(tenantId)) return false;
    return !leavesRoom || has < (perTenant - ofTenant(tenantId)) / 2;
  };

  return {
    take(taker) {
      if (!hasShare(taker)) return false;
      inUse += 1;
      addTo(byEndpoint, taker.endpointId, 1);
      addTo(byTenant, taker.tenantId, 1);
      tenantOf.set(taker.endpointId, taker.tenantId);
      return true;
    },
    giveBack(endpointId) {
      inUse -= 1;
      addTo(byTenant, tenantOf.get(endpointId) as number, -1);
      if (addTo(byEndpoint, endpointId, -1) <= 0) tenantOf.delete(endpointId);
    },
    hasTenantShare,
    free: () => total - inUse,
    inUse: () => inUse,
    ofEndpoint,
    ofTenant,
    endpoints: () => byEndpoint,
    tenants: () => byTenant.keys(),
  };
}
