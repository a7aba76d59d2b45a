/** How many deliveries may be under way in this process: in all, to one endpoint, and of one tenant. */
export interface Shares {
  total: number;
  perTenant: number;
  perEndpoint: number;
}

interface Taker {
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
  /** Tenants that have all of their share. */
  fullTenants(): number[];
}

export function createCapacity({ total, perTenant, perEndpoint }: Shares): Capacity {
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
      const isFull =
        inFlight >= total ||
        (busy.get(taker.endpointId) ?? 0) >= perEndpoint ||
        (busyOfTenant.get(taker.tenantId) ?? 0) >= perTenant;
      if (isFull) return false;
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
    fullTenants: () => [...busyOfTenant].filter(([, count]) => count >= perTenant).map(([id]) => id),
  };
}
