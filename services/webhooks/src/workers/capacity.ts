/** How many deliveries may be under way in this process: in all, to one endpoint, and of one tenant. */
export interface Shares {
  total: number;
  perTenant: number;
  perEndpoint: number;
}

/**
 * `true`: of what is free for all, a tenant gets no more than half beyond what it has, and an endpoint no more than half of
 * what its tenant has left. Alone they get their whole share; the more there are, the less each, and a newcomer finds room.
 * Choudhury and Hahne, Dynamic queue length thresholds, 1998.
 */
interface Sharing {
  leavesRoom: boolean;
}

export interface Taker {
  tenantId: number;
  endpointId: number;
}

export interface Capacity {
  /** Takes room for one delivery. False where there is none left, by whichever share. */
  take(taker: Taker): boolean;
  giveBack(endpointId: number): void;
  free(): number;
  inFlight(): number;
  /** Endpoint id → deliveries under way; ids are unique across tenants. */
  busy(): ReadonlyMap<number, number>;
  ofEndpoint(endpointId: number): number;
  ofTenant(tenantId: number): number;
  /** Tenants with anything under way. */
  tenants(): number[];
}

export function createCapacity(
  { total, perTenant, perEndpoint }: Shares,
  { leavesRoom }: Sharing = { leavesRoom: false },
): Capacity {
  const busy = new Map<number, number>();
  const busyOfTenant = new Map<number, number>();
  const tenantOf = new Map<number, number>();
  let inFlight = 0;

  const add = (counts: Map<number, number>, id: number, change: number) => {
    const count = (counts.get(id) ?? 0) + change;
    if (count > 0) counts.set(id, count);
    else counts.delete(id);
    return count;
  };
  return {
    take(taker) {
      const ofEndpoint = busy.get(taker.endpointId) ?? 0;
      const ofTenant = busyOfTenant.get(taker.tenantId) ?? 0;
      const isFull = inFlight >= total || ofTenant >= perTenant || ofEndpoint >= perEndpoint;
      if (isFull) return false;
      if (leavesRoom && (ofTenant >= (total - inFlight) / 2 || ofEndpoint >= (perTenant - ofTenant) / 2))
        return false;
      inFlight += 1;
      add(busy, taker.endpointId, 1);
      add(busyOfTenant, taker.tenantId, 1);
      tenantOf.set(taker.endpointId, taker.tenantId);
      return true;
    },
    giveBack(endpointId) {
      inFlight -= 1;
      add(busyOfTenant, tenantOf.get(endpointId) as number, -1);
      if (add(busy, endpointId, -1) <= 0) tenantOf.delete(endpointId);
    },
    free: () => total - inFlight,
    inFlight: () => inFlight,
    busy: () => busy,
    ofEndpoint: (endpointId) => busy.get(endpointId) ?? 0,
    ofTenant: (tenantId) => busyOfTenant.get(tenantId) ?? 0,
    tenants: () => [...busyOfTenant.keys()],
  };
}
