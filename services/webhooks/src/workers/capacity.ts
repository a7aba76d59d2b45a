/** How many deliveries are under way in this process, in all and to each endpoint. */
export interface Capacity {
  free(): number;
  inFlight(): number;
  /** Endpoint id → deliveries under way; ids are unique across tenants. */
  busy(): ReadonlyMap<number, number>;
  take(endpointId: number): void;
  giveBack(endpointId: number): void;
}

export function createCapacity(total: number): Capacity {
  const busy = new Map<number, number>();
  let inFlight = 0;
  return {
    free: () => total - inFlight,
    inFlight: () => inFlight,
    busy: () => busy,
    take(endpointId) {
      inFlight += 1;
      busy.set(endpointId, (busy.get(endpointId) ?? 0) + 1);
    },
    giveBack(endpointId) {
      inFlight -= 1;
      const left = (busy.get(endpointId) ?? 0) - 1;
      if (left > 0) busy.set(endpointId, left);
      else busy.delete(endpointId);
    },
  };
}
