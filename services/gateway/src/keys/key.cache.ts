import { isDeepStrictEqual } from 'node:util';
import { within } from '@frontdesk/fair';
import { AppError } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import type { KeyAccess } from './api-key.rules.ts';
import { batchedLookup } from './batched-lookup.queue.ts';

const MAX_GOOD = 50_000;
const MAX_UNKNOWN = 20_000;
const RECHECK_AT_ONCE = 5_000;

/** How a key was found: in the cache as good or as unknown, or by a look-up. */
export type KeyFound = 'remembered' | 'remembered_unknown' | 'looked_up';

interface Remembered {
  access: KeyAccess;
  sinceMs: number;
}

/**
 * Remembers for a while which tenant a key belongs to, and which keys are unknown. A look-up that runs while a tenant changes may have
 * read the old state: its result is not stored, and later requests begin a look-up of their own.
 */
export function createKeyCache(options: {
  findMany: (keyHashes: string[]) => Promise<Map<string, KeyAccess>>;
  /** Longest wait for a look-up, including the wait for the one before it. */
  lookupMs?: number;
  /** How long a good key is cached, and how long an unknown one. */
  ttlMs: number;
  unknownTtlMs: number;
  onFound?: (found: KeyFound) => void;
  now?: () => number;
}) {
  const { ttlMs, unknownTtlMs, lookupMs, onFound } = options;
  const now = options.now ?? Date.now;
  const good = new LRUCache<string, Remembered>({ max: MAX_GOOD });
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  const underWay = new Map<string, Promise<KeyAccess | null>>();
  let generation = 0;
  const find = batchedLookup(options.findMany);
  // Clients that have sent many bad keys share a look-up queue of their own, so they never delay other clients.
  const findForSuspect = batchedLookup(options.findMany);

  const remembered = (keyHash: string): KeyAccess | null | undefined => {
    const known = good.get(keyHash);
    if (known && now() - known.sinceMs < ttlMs) return known.access;
    const refusedMs = unknown.get(keyHash);
    return refusedMs !== undefined && now() - refusedMs < unknownTtlMs ? null : undefined;
  };

  const lookUp = async (keyHash: string, isSuspect: boolean): Promise<KeyAccess | null> => {
    const before = generation;
    const sinceMs = now();
    const access = await (isSuspect ? findForSuspect : find)(keyHash);
    if (generation !== before) return access;
    if (access) good.set(keyHash, { access, sinceMs });
    else {
      good.delete(keyHash);
      unknown.set(keyHash, sinceMs);
    }
    return access;
  };

  const startAfresh = () => {
    generation += 1;
    underWay.clear();
    unknown.clear();
  };

  return {
    size: () => ({ good: good.size, unknown: unknown.size }),
    /**
     * The tenant of the key, or null for an unknown key.
     * @param isSuspect whether the client has sent too many bad keys lately; called only if the key isn't cached
     */
    async resolve(keyHash: string, isSuspect: () => boolean = () => false): Promise<KeyAccess | null> {
      const known = remembered(keyHash);
      onFound?.(known ? 'remembered' : known === null ? 'remembered_unknown' : 'looked_up');
      if (known !== undefined) return known;
      const joined = underWay.get(keyHash);
      if (joined) return joined;
      const found = lookUp(keyHash, isSuspect());
      const lookup = lookupMs === undefined ? found : within(lookupMs, found, lookupTooSlow);
      underWay.set(keyHash, lookup);
      try {
        return await lookup;
      } finally {
        if (underWay.get(keyHash) === lookup) underWay.delete(keyHash);
      }
    },
    /** Looks up all cached keys again, and drops those that have changed: for the time in which announcements may be missed. */
    async recheck(): Promise<void> {
      const fresh = [...good.entries()].filter(([, { sinceMs }]) => now() - sinceMs < ttlMs);
      for (let first = 0; first < fresh.length; first += RECHECK_AT_ONCE) {
        const part = fresh.slice(first, first + RECHECK_AT_ONCE);
        const found = await options.findMany(part.map(([keyHash]) => keyHash));
        for (const [keyHash, { access }] of part)
          if (!isDeepStrictEqual(found.get(keyHash), access)) good.delete(keyHash);
      }
    },
    forgetTenant(tenantId: number): void {
      startAfresh();
      for (const [keyHash, { access }] of good.entries()) {
        if (access.tenantId === tenantId) good.delete(keyHash);
      }
    },
    forgetAll(): void {
      startAfresh();
      good.clear();
    },
  };
}

const lookupTooSlow = () => {
  throw new AppError('service_unavailable', 'The service is not available at the moment. Please try again.', {
    cause: new Error('keys can’t be looked up in time'),
    headers: { 'retry-after': '1' },
  });
};

export type KeyCache = ReturnType<typeof createKeyCache>;
