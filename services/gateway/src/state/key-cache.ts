import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { KeyAccess } from '../domain/key-access.ts';
import { batchedLookup } from './batched-lookup.ts';

const MAX_GOOD = 50_000;
const MAX_UNKNOWN = 20_000;
const RECHECK_AT_ONCE = 5_000;

/** How a key was found: remembered as somebody's or as nobody's, or looked up. */
export type KeyFound = 'remembered' | 'remembered_unknown' | 'looked_up';

interface Remembered {
  access: KeyAccess;
  sinceMs: number;
}

/**
 * Who each key belongs to, for a while, and which keys belong to no one. A look-up that was under way while something
 * changed may have seen the state before: its result is not stored, and nobody else waits for it.
 */
export function createKeyCache(options: {
  findMany: (keyHashes: string[]) => Promise<Map<string, KeyAccess>>;
  /** For how long a key is remembered without being looked up again, and that it is nobody's. */
  ttlMs: number;
  unknownTtlMs: number;
  onFound?: (found: KeyFound) => void;
  now?: () => number;
}) {
  const { ttlMs, unknownTtlMs, onFound } = options;
  const now = options.now ?? Date.now;
  const good = new LRUCache<string, Remembered>({ max: MAX_GOOD });
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  const underWay = new Map<string, Promise<KeyAccess | null>>();
  let generation = 0;
  const find = batchedLookup(options.findMany);
  // Who guesses keys by the thousand waits for others who do, and for nobody else.
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
     * The key's owner, or null for a key that lets no one in.
     * @param isSuspect whether who asks has lately shown too many bad ones; asked only where the key isn't remembered
     */
    async resolve(keyHash: string, isSuspect: () => boolean = () => false): Promise<KeyAccess | null> {
      const known = remembered(keyHash);
      onFound?.(known ? 'remembered' : known === null ? 'remembered_unknown' : 'looked_up');
      if (known !== undefined) return known;
      const joined = underWay.get(keyHash);
      if (joined) return joined;
      const lookup = lookUp(keyHash, isSuspect());
      underWay.set(keyHash, lookup);
      try {
        return await lookup;
      } finally {
        if (underWay.get(keyHash) === lookup) underWay.delete(keyHash);
      }
    },
    /** Looks all remembered keys up again: for as long as no changes can be heard of. */
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

export type KeyCache = ReturnType<typeof createKeyCache>;
