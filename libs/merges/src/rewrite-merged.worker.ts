import type { Database, TenantTransaction } from '@frontdesk/database';
import { type Logger, type Loop, loop } from '@frontdesk/service';
import {
  concludeRewrite,
  findMergedInto,
  type Merge,
  shortenMerges,
  takeMerges,
} from './merged-customer.repository.ts';

const INTERVAL_MS = 1_000;
const TAKEN_TOGETHER = 10;
/** Longer than any transaction runs. */
const LEASE_SECONDS = 60;
/**
 * Longer than any transaction runs: a transaction that read the customer before the merge was known has ended by then, so the last look
 * finds its rows.
 */
const SETTLED_AFTER_SECONDS = 120;
const AGAIN_AFTER_SECONDS = 20;

/** Rewrites the rows of merged customers, some at a time, so that they name the customers who remain. */
export function createMergeRewriter(
  { database, logger }: { database: Database; logger: Logger },
  options: {
    /** Rewrites up to `REWRITTEN_TOGETHER` rows. @returns how many it has rewritten */
    rewrite: (tx: TenantTransaction, merge: Merge) => Promise<number>;
  },
): Loop {
  const rewriteSome = async (tenantId: number, id: number) => {
    const scope = database.forTenantInBackground(tenantId);
    // By itself: the rows of merges stay free while those that are rewritten are waited for.
    await scope.transaction((tx) => shortenMerges(tx));
    return scope.transaction(async (tx) => {
      const mergedInto = await findMergedInto(tx, id);
      if (mergedInto === null) return false;
      // Also after a short portion: rows that it waited for may be others by now.
      const hasMore = (await options.rewrite(tx, { id, mergedInto })) > 0;
      await concludeRewrite(tx, {
        id,
        hasMore,
        settledAfterSeconds: SETTLED_AFTER_SECONDS,
        againAfterSeconds: AGAIN_AFTER_SECONDS,
      });
      return hasMore;
    });
  };

  return loop({
    name: 'merged customers',
    intervalMs: INTERVAL_MS,
    logger,
    async run() {
      let hasMore = false;
      for (const { tenant_id, id } of await takeMerges(database.system, TAKEN_TOGETHER, LEASE_SECONDS)) {
        try {
          hasMore = (await rewriteSome(tenant_id, id)) || hasMore;
        } catch (error) {
          // Tried again once the lease is over; the others go on.
          logger.error({ err: error, tenant_id, customer_id: id }, 'rows of a merged customer not rewritten');
        }
      }
      return hasMore;
    },
  });
}
