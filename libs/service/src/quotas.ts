import { QUOTA_NOUNS, type QuotaName } from '@frontdesk/contracts';
import { AppError } from './errors.ts';

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
  throw new AppError('quota_exceeded', `Your plan allows ${allowed} ${QUOTA_NOUNS[name]}, and ${more}.`);
}
