import { eventRoutes, STORED_BYTES_PAGE, type StoredBytes } from '@frontdesk/contracts';
import { type Database, listStoredBytes } from '@frontdesk/database';
import { type Logger, type Loop, loop, requestOf, type ServiceClient } from '@frontdesk/service';
import { forEachTenant, judgeStorage, nullWhileAway } from './settle-quota.ts';
import { listTenantsToJudge, saveStoredBytes } from './stored-bytes.repository.ts';

const INTERVAL_MS = 10 * 60_000;

/**
 * Adds up the bytes that all services have measured, and decides which tenants may add nothing. While a service does not answer, or has
 * not measured yet, nothing changes: an incomplete sum would let in tenants that are refused.
 */
export function createStorageWorker(deps: {
  database: Database;
  services: readonly ServiceClient[];
  logger: Logger;
}): Loop {
  const { database, services, logger } = deps;
  const { system } = database;

  const addUp = async () => {
    const parts = await Promise.all([
      ownBytes(database),
      ...services.map((service) => askForStoredBytes(service).catch(nullWhileAway(logger))),
    ]);
    const sums = new Map<number, number>();
    for (const part of parts) {
      if (part === null) return null;
      for (const { tenant_id, bytes } of part) sums.set(tenant_id, (sums.get(tenant_id) ?? 0) + bytes);
    }
    return sums;
  };

  return loop({
    name: 'storage',
    intervalMs: INTERVAL_MS,
    logger,
    async run(signal) {
      const sums = await addUp();
      if (sums === null || signal.aborted) return;
      await saveStoredBytes(system, sums);
      await forEachTenant({ database, logger, signal }, await listTenantsToJudge(system), judgeStorage);
    },
  });
}

/** The gateway stores little of a tenant: the first page has every tenant that has much here. */
async function ownBytes({ system }: Database) {
  const { is_measured, tenants } = await listStoredBytes(system, 0);
  return is_measured ? tenants : null;
}

/**
 * What the large tenants have in a service's database; null before it is measured.
 * @throws AppError when the service does not answer
 */
async function askForStoredBytes(service: ServiceClient): Promise<StoredBytes[] | null> {
  const all: StoredBytes[] = [];
  for (;;) {
    const query = { after_tenant: all.at(-1)?.tenant_id ?? 0 };
    const { is_measured, tenants } = await service.request(requestOf(eventRoutes.listStoredBytes, { query }));
    if (!is_measured) return null;
    all.push(...tenants);
    if (tenants.length < STORED_BYTES_PAGE) return all;
  }
}
