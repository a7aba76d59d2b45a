import { LRUCache } from 'lru-cache';
import type { SubscribedEndpoint } from '../endpoints/subscription.rules.ts';

/** Of all tenants together; a tenant without any counts as one. */
const MAX_REMEMBERED = 10_000;

/** Tenants' active endpoints as they last were. The database checks whether they still are when they are used. */
export interface KnownEndpoints {
  ofTenants(tenantIds: readonly number[]): Promise<SubscribedEndpoint[]>;
  forget(tenantIds: Iterable<number>): void;
}

export function createKnownEndpoints(
  findActive: (tenantIds: number[]) => Promise<SubscribedEndpoint[]>,
): KnownEndpoints {
  const remembered = new LRUCache<number, SubscribedEndpoint[]>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ length }) => length || 1,
  });
  return {
    async ofTenants(tenantIds) {
      const known = new Map(tenantIds.map((id) => [id, remembered.get(id)]));
      const unknown = tenantIds.filter((id) => known.get(id) === undefined);
      if (unknown.length > 0) {
        const found = await findActive(unknown);
        const endpointsOf = Map.groupBy(found, (endpoint) => endpoint.tenant_id);
        for (const id of unknown) {
          const endpoints = endpointsOf.get(id) ?? [];
          known.set(id, endpoints);
          remembered.set(id, endpoints);
        }
      }
      return [...known.values()].flatMap((endpoints) => endpoints ?? []);
    },
    forget(tenantIds) {
      for (const id of tenantIds) remembered.delete(id);
    },
  };
}
