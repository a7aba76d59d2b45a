import type { TenantReads, TenantTransaction } from '../scope/scopes.ts';
import { tenantSql } from '../scope/statements.ts';

const MOST_REMEMBERED = 10_000;
/**
 * The last part of a quota, in which additions are counted one at a time: a twentieth of it, and never less than a thousand. So a business
 * that keeps what it had when the quota came, with a tenth more, is not in there from the first day on.
 */
const EXACT_SHARE = 0.05;
const LEAST_EXACT = 1_000;
/** Far more processes than a service runs: what all of them may add without a count is half of the last part. */
const MOST_PROCESSES = 100;

/** What a statement with `openGate` takes. */
export interface GateArgs {
  quotaCounter: string;
  nearCounter: string;
}

/** What additions to a tenant's counter go through. */
export interface QuotaGate {
  /**
   * Whether an addition may be made without a count, if `openGate` allows it too. Asks the database for the count once in a while.
   * Additions are one at a time in a transaction.
   */
  isFar(db: TenantReads, counter: string, allowed: number): Promise<boolean>;
}

/** This counter has been counted in the last part of this quota. A quota that is raised has another name, so nothing is taken back. */
const nearCounterOf = (counter: string, allowed: number) => `near/${allowed}/${counter}`;

export const gateArgs = (counter: string, allowed: number): GateArgs => ({
  quotaCounter: counter,
  nearCounter: nearCounterOf(counter, allowed),
});

const LOCK = `hashtextextended(concat_ws(' ', 'quota', 'tenant_id', $tenantId::bigint, $quotaCounter::text), 0)`;

/**
 * SQL condition for an insert that adds one record, with `gateArgs`. True if the addition needs no exact count; it
 * then holds a shared lock, which `countExactly` waits for. False, at once, if the quota is nearly used or another
 * transaction is counting. The `near` row is looked up first: an insert that is refused holds no lock, so two that go
 * on to `countExactly` do not block each other.
 */
export const openGate = `case
    when exists (select from counts near where near.tenant_id = $tenantId and near.counter = $nearCounter) then false
    else pg_try_advisory_xact_lock_shared(${LOCK}) end`;

const lock = tenantSql<never, { quotaCounter: string }>(
  'quota_lock',
  `select pg_advisory_xact_lock(${LOCK})`,
);

const closeGate = tenantSql<never, { nearCounter: string }>(
  'quota_close_gate',
  `insert into counts (tenant_id, counter, delta)
   select $tenantId, $nearCounter, 1 where not exists (select from counts where tenant_id = $tenantId and counter = $nearCounter)`,
);

/**
 * Counts exactly, and locks the counter until the transaction ends. From its commit on, all processes count exactly
 * for this quota; a transaction that is rolled back changes nothing.
 */
export async function countExactly(tx: TenantTransaction, counter: string, allowed: number): Promise<number> {
  // A statement of its own: one that waited for the lock would still count what was there before it waited.
  const [, used] = await Promise.all([tx.run(lock, { quotaCounter: counter }), tx.total(counter)]);
  tx.send(closeGate, { nearCounter: nearCounterOf(counter, allowed) });
  return used;
}

/**
 * Remembers for a number of additions that a tenant is far from a quota. The number is so small that all processes
 * together cannot reach the quota with it. When one process begins to count exactly, the gate stops the additions
 * that others still remember. So no race exceeds a quota, and no addition far from it waits.
 */
export function createQuotaGate(): QuotaGate {
  const remembered = new Map<string, number>();
  const remember = (key: string, left: number) => {
    // The one that was asked for longest ago goes first.
    remembered.delete(key);
    remembered.set(key, left);
    if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  };
  return {
    async isFar(db, counter, allowed) {
      const exact = Math.max(LEAST_EXACT, Math.floor(allowed * EXACT_SHARE));
      if (allowed < exact) return false;
      const key = `${db.tenantId} ${allowed} ${counter}`;
      const left = remembered.get(key) ?? 0;
      if (left > 0) {
        remember(key, left - 1);
        return true;
      }
      if ((await db.total(counter)) + exact > allowed) return false;
      remember(key, Math.floor(exact / (2 * MOST_PROCESSES)) - 1);
      return true;
    },
  };
}
