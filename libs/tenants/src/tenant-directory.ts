import {
  type DomainEvent,
  gatewayRoutes,
  type Quotas,
  quotasOf,
  type StatedQuotas,
  type Tenant,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { eventsOf, latestPerAggregate } from '@frontdesk/events';
import { AppError, notFound, requestOf, type ServiceClient } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { findTenant, type ProfileRow, upsertTenants } from './tenant-projection.ts';

/** What a service needs to know of a tenant to serve it. */
export type TenantProfile = Omit<ProfileRow, 'quotas'> & {
  quotas: Quotas;
  /** Those that its latest event named: of `SETTLED_LATER`, those in force. */
  statedQuotas: StatedQuotas;
};

export interface TenantDirectory {
  /**
   * The tenant as the projection has it, at most five seconds old; one that isn't there yet is asked for at the gateway.
   * @throws AppError `not_found` when the gateway doesn't know it either, `service_unavailable` when it can't be asked
   */
  find(tenantId: number): Promise<TenantProfile>;
  /** Brings the projection up to date: hand it to the consumer of the topic `tenants`. Other events are ignored. */
  apply(events: DomainEvent[]): Promise<void>;
}

interface VersionedTenant {
  tenant: Tenant;
  version: number;
}

const CACHE_SIZE = 10_000;
const CACHE_TTL_MS = 5_000;

export function createTenantDirectory(options: {
  database: Database;
  /** Where tenants are asked for that the projection doesn't have; null: they are not found. */
  gateway: ServiceClient | null;
}): TenantDirectory {
  const { database, gateway } = options;

  const store = async (changes: VersionedTenant[]) => {
    const column = <Value>(read: (tenant: Tenant) => Value) => changes.map(({ tenant }) => read(tenant));
    await database.system.run(upsertTenants, {
      tenantIds: column((tenant) => tenant.id),
      names: column((tenant) => tenant.name),
      plans: column((tenant) => tenant.plan),
      statuses: column((tenant) => tenant.status),
      timezones: column((tenant) => tenant.timezone),
      countries: column((tenant) => tenant.country),
      currencies: column((tenant) => tenant.currency),
      quotas: column(({ quotas }) => (quotas ? JSON.stringify(quotas) : null)),
      storageFull: column((tenant) => tenant.storage_full ?? false),
      versions: changes.map(({ version }) => version),
    });
  };

  const askGateway = async (tenantId: number): Promise<ProfileRow> => {
    if (gateway === null) throw notFound('Tenant');
    const request = requestOf(gatewayRoutes.getTenant, { tenantId });
    const { version, ...tenant } = await gateway.request(request).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? notFound('Tenant') : error;
    });
    await store([{ tenant, version }]);
    const { id, timezone, country, currency, status, plan, quotas = null } = tenant;
    const { storage_full = false } = tenant;
    return { id, timezone, country, currency, status, plan, quotas, storage_full };
  };

  // Callers of the same moment share one look-up. What throws, a "no" above all, is never remembered.
  const cache = new LRUCache<number, TenantProfile>({
    max: CACHE_SIZE,
    ttl: CACHE_TTL_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (tenantId) => {
      const row = (await database.system.maybeOne(findTenant, { tenantId })) ?? (await askGateway(tenantId));
      return { ...row, quotas: quotasOf(row), statedQuotas: row.quotas ?? {} };
    },
  });

  return {
    find: (tenantId) => cache.forceFetch(tenantId),
    async apply(events) {
      const changes = latestPerAggregate(eventsOf('tenants', events)).map((event) => ({
        tenant: { ...event.data, id: event.tenant_id },
        version: event.aggregate_version,
      }));
      if (changes.length === 0) return;
      await store(changes);
      for (const { tenant } of changes) cache.delete(tenant.id);
    },
  };
}
