import { keptQuota, type SettledLater } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { AppError, isAway, type Logger } from '@frontdesk/service';
import { findStoredBytes } from './stored-bytes.repository.ts';
import { lockTenant, updateTenant } from './tenant.repository.ts';
import { effectiveQuotas, isStorageFull, type TenantRow, tenantRecord } from './tenant.rules.ts';

/** Puts a quota in force for a tenant that is older than the quota. A tenant that has more than it allows keeps that, and a tenth more. */
export async function settleQuota(tx: TenantTransaction, name: SettledLater, used: number): Promise<void> {
  const before = await lockTenant(tx);
  if (!before?.unsettled_quotas.includes(name)) return;
  const { raised_quotas, unsettled_quotas } = before;
  const isAbove = used > effectiveQuotas(before)[name];
  await writeTenant(tx, {
    raised_quotas: isAbove ? { ...raised_quotas, [name]: keptQuota(used) } : raised_quotas,
    unsettled_quotas: unsettled_quotas.filter((other) => other !== name),
  });
}

/** Emits a change of the tenant when it begins to store more than it may, and when it stores less again. */
export async function judgeStorage(tx: TenantTransaction): Promise<void> {
  const stored = (await findStoredBytes(tx)) ?? 0;
  await settleQuota(tx, 'stored_bytes', stored);
  const before = await lockTenant(tx);
  if (!before) return;
  const storage_full = isStorageFull(before, stored);
  if (storage_full !== before.storage_full) await writeTenant(tx, { storage_full });
}

async function writeTenant(tx: TenantTransaction, change: Partial<TenantRow>): Promise<void> {
  const after = await updateTenant(tx, change);
  tx.emit('tenant.updated', {
    aggregateId: tx.tenantId,
    version: after.version,
    data: tenantRecord(after),
  });
}

/**
 * Does the work for one tenant after the other, until the signal aborts. A failure for one tenant does not stop the others; the
 * worker's next run tries it again.
 */
export async function forEachTenant(
  { database, logger, signal }: { database: Database; logger: Logger; signal: AbortSignal },
  tenantIds: readonly number[],
  work: (tx: TenantTransaction) => Promise<void>,
): Promise<void> {
  for (const tenantId of tenantIds) {
    if (signal.aborted) return;
    await database
      .forTenantInBackground(tenantId)
      .transaction(work)
      .catch((error: unknown) => logger.error({ err: error, tenant_id: tenantId }, 'quota not settled'));
  }
}

/** For a worker that asks a service again later: null for its error, which is logged unless the service is just away. */
export const nullWhileAway =
  (logger: Logger) =>
  (error: unknown): null => {
    if (!(error instanceof AppError)) throw error;
    if (!isAway(error)) logger.warn({ err: error }, 'a service refused what it was asked');
    return null;
  };
