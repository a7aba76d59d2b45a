import { QUOTA_NOUNS, type QuotaName } from '@frontdesk/contracts';
import { AppError } from '../errors/app-error.ts';

/**
 * Refuses additions beyond a quota. Call it under the business's lock, in the transaction that adds the records. Where
 * nothing is added nothing is refused: after a change to a smaller plan, a business may still change and remove its records.
 * @param counts in records: `used` before the addition, `added`, and `allowed` by the quota
 * @throws AppError `quota_exceeded`
 */
export function requireQuota(
  name: QuotaName,
  { used, added = 1, allowed }: { used: number; added?: number; allowed: number },
): void {
  if (added === 0 || used + added <= allowed) return;
  const there = `there ${used === 1 ? 'is' : 'are'} ${used}`;
  const more = added === 1 ? there : `${there}: ${added} more are too many`;
  throw new AppError('quota_exceeded', `Your plan allows ${allowed} ${QUOTA_NOUNS[name]}, and ${more}.`, {
    isPassing: name.endsWith('_per_day'),
  });
}

/**
 * Refuses additions to a business that stores more than it may. The bytes are measured daily, so the limit is not exact.
 * @throws AppError `quota_exceeded`
 */
export function requireStorage({
  storage_full,
  quotas,
}: {
  storage_full: boolean;
  quotas: { stored_bytes: number };
}): void {
  if (storage_full)
    throw new AppError(
      'quota_exceeded',
      `Your plan allows ${quotas.stored_bytes} ${QUOTA_NOUNS.stored_bytes}, and there are more: nothing can be added.`,
    );
}
