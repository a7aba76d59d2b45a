import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../domain/access.ts';
import { batchedLookup } from './batched-lookup.ts';

const MAX_CALLERS = 50_000;
const MAX_UNKNOWN = 20_000;
const RECHECK_AT_ONCE = 5_000;

/** How a key was found: remembered as somebody's or as nobody's, or looked up. */
export type KeyFound = 'remembered' | 'remembered_unknown' | 'looked_up';

interface Remembered {
  caller: Caller;
  sinceMs: number;
}

/**
 * Who each key belongs to, for a while, and which keys belong to no one. A look-up that was under way while something
 * changed may have seen the state before: its result is not stored, and nobody else waits for it.
 */
export function createKeyCache(options: {
  findMany: (keyHashes: string[]) => Promise<Map<string, Caller>>;
  /** For how long a key is remembered without being looked up again, and that it is nobody's. */
  ttlMs: number;
  unknownTtlMs: number;
  onFound?: (found: KeyFound) => void;
  now?: () => number;
}) {
  const { ttlMs, unknownTtlMs, onFound } = options;
  const now = options.now ?? Date.now;
  const callers = new LRUCache<string, Remembered>({ max: MAX_CALLERS });
  const unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  const underWay = new Map<string, Promise<Caller | null>>();
  let generation = 0;
  const find = batchedLookup(options.findMany);
  // Who guesses keys by the thousand waits for others who do, and for nobody else.
  const findForSuspect = batchedLookup(options.findMany);

  const remembered = (keyHash: string): Caller | null | undefined => {
    const known = callers.get(keyHash);
    if (known && now() - known.sinceMs < ttlMs) return known.caller;
    const refusedMs = unknown.get(keyHash);
    return refusedMs !== undefined && now() - refusedMs < unknownTtlMs ? null : undefined;
  };

  const lookUp = async (keyHash: string, isSuspect: boolean): Promise<Caller | null> => {
    const before = generation;
    const sinceMs = now();
    const caller = await (isSuspect ? findForSuspect : find)(keyHash);
    if (generation !== before) return caller;
    if (caller) callers.set(keyHash, { caller, sinceMs });
    else {
      callers.delete(keyHash);
      unknown.set(keyHash, sinceMs);
    }
    return caller;
  };

  const startAfresh = () => {
    generation += 1;
    underWay.clear();
    unknown.clear();
  };

  return {
    size: () => ({ callers: callers.size, unknown: unknown.size }),
    /**
     * The key's owner, or null for a key that lets no one in.
     * @param isSuspect whether who asks has lately shown too many bad ones; asked only where the key isn't remembered
     */
    async resolve(keyHash: string, isSuspect: () => boolean = () => false): Promise<Caller | null> {
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
      const fresh = [...callers.entries()].filter(([, { sinceMs }]) => now() - sinceMs < ttlMs);
      for (let first = 0; first < fresh.length; first += RECHECK_AT_ONCE) {
        const part = fresh.slice(first, first + RECHECK_AT_ONCE);
        const found = await options.findMany(part.map(([keyHash]) => keyHash));
        for (const [keyHash, { caller }] of part)
          if (!isDeepStrictEqual(found.get(keyHash), caller)) callers.delete(keyHash);
      }
    },
    forgetTenant(tenantId: number): void {
      startAfresh();
      for (const [keyHash, { caller }] of callers.entries()) {
        if (caller.tenantId === tenantId) callers.delete(keyHash);
      }
    },
    forgetAll(): void {
      startAfresh();
      callers.clear();
    },
  };
}

export type KeyCache = ReturnType<typeof createKeyCache>;
