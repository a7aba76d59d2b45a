import type { ClaimLimits } from '../queue/lease.rules.ts';
import { addTo } from '../receivers/add-to.rules.ts';

/** How many deliveries: in all, of one tenant, and to one endpoint. */
export interface Limits {
  total: number;
  perTenant: number;
  perEndpoint: number;
}

/** Whose a delivery is. Ids of endpoints are unique across tenants. */
export interface EndpointOfTenant {
  tenantId: number;
  endpointId: number;
}

/** Of the bodies of what is claimed and not recorded yet, in bytes, each delivery's counted. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Counts deliveries, from their claim until their result is written, against some limits. A tenant gets no more than half as much as
 * would be left free, and an endpoint no more than half of what would be left to its tenant: alone they get their whole limit; the
 * more there are, the less each, and a newcomer always gets some. Choudhury and Hahne, Dynamic queue length thresholds, 1998. A tenant
 * gets no more bytes than would be left free, either; one delivery always goes, however large.
 *
 * No fair queue of @frontdesk/fair: nothing waits here, and a claim has to know beforehand how many more it may bring.
 */
export function createConcurrencyLimits({ total, perTenant, perEndpoint }: Limits) {
  const byEndpoint = new Map<number, number>();
  const byTenant = new Map<number, number>();
  const bytesOf = new Map<number, number>();
  const tenantOf = new Map<number, number>();
  let inUse = 0;
  let bytes = 0;

  const ofTenant = (id: number) => byTenant.get(id) ?? 0;
  /** At most half of what then stays free: has + x <= (free - x) / 2. */
  const leftFor = (has: number, limit: number, free: number) =>
    Math.max(0, Math.min(limit - has, Math.ceil((free - 2 * has) / 3)));
  const leftForTenant = (id: number) => {
    const has = ofTenant(id);
    const hasBytes = has === 0 || (bytesOf.get(id) ?? 0) < MAX_BYTES - bytes;
    return hasBytes ? leftFor(has, perTenant, total - inUse) : 0;
  };
  const leftForEndpoint = (tenantId: number, has: number) =>
    Math.min(leftFor(has, perEndpoint, perTenant - ofTenant(tenantId)), leftForTenant(tenantId));
  const add = ({ tenantId, endpointId }: EndpointOfTenant, bodyBytes: number, sign: 1 | -1) => {
    inUse += sign;
    bytes += sign * bodyBytes;
    addTo(byTenant, tenantId, sign);
    addTo(bytesOf, tenantId, sign * bodyBytes);
    if (addTo(byEndpoint, endpointId, sign) > 0) tenantOf.set(endpointId, tenantId);
    else tenantOf.delete(endpointId);
  };

  return {
    /** Counts one more. False where a limit is reached: newcomers of one claim were each promised a share of the same. */
    take(of: EndpointOfTenant, bodyBytes: number): boolean {
      if (leftForEndpoint(of.tenantId, byEndpoint.get(of.endpointId) ?? 0) <= 0) return false;
      add(of, bodyBytes, 1);
      return true;
    },
    giveBack: (of: EndpointOfTenant, bodyBytes: number) => add(of, bodyBytes, -1),
    free: () => (bytes >= MAX_BYTES ? 0 : total - inUse),
    /** What a claim may bring that begins now. */
    forClaim(): ClaimLimits {
      const tenants = new Map<number, { all: number; perEndpoint: number }>();
      const endpoints = new Map<number, number>();
      const full = new Set<number>();
      for (const id of byTenant.keys()) {
        const all = leftForTenant(id);
        tenants.set(id, { all, perEndpoint: leftForEndpoint(id, 0) });
        if (all === 0) full.add(id);
      }
      for (const [id, tenantId] of tenantOf) {
        const left = leftForEndpoint(tenantId, byEndpoint.get(id) ?? 0);
        endpoints.set(id, left);
        if (left === 0) full.add(tenantId);
      }
      return {
        perTenant: leftFor(0, perTenant, total - inUse),
        perEndpoint: leftFor(0, perEndpoint, perTenant),
        tenants,
        endpoints,
        full,
      };
    },
  };
}

export type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>;
