import { findSourcesBody, foundSources, MAX_SOURCE_TOKENS } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { batchedLookup } from '../state/batched-lookup.ts';

/** Only addresses that lead somewhere are remembered: strangers can't push them out, and a source just made works at once. */
const MAX_SOURCES = 50_000;
/** How long a source that is gone may be taken for one that is there; then calls itself says so. */
const REMEMBERED_MS = 60_000;

export interface CallSources {
  /**
   * Whether the token of an ingest address leads to a source. Those who have failed too often wait for each other only.
   * @throws AppError `service_unavailable` where calls can't be asked
   */
  has(token: string, isSuspect: () => boolean): Promise<boolean>;
  /** Calls knows it no more. */
  forget(token: string): void;
}

export function createCallSources(calls: Pick<ServiceClient, 'request'>): CallSources {
  const known = new LRUCache<string, true>({ max: MAX_SOURCES, ttl: REMEMBERED_MS });
  const findMany = async (tokens: string[]) => {
    const found = await calls.request({
      method: 'POST',
      path: '/internal/call-sources/find',
      body: findSourcesBody.parse({ tokens }),
      schema: foundSources,
    });
    return new Map(found.map((token) => [token, true as const]));
  };
  const find = batchedLookup(findMany, MAX_SOURCE_TOKENS);
  const findForSuspect = batchedLookup(findMany, MAX_SOURCE_TOKENS);

  return {
    async has(token, isSuspect) {
      if (known.get(token)) return true;
      const isThere = (await (isSuspect() ? findForSuspect : find)(token)) !== null;
      if (isThere) known.set(token, true);
      return isThere;
    },
    forget: (token) => void known.delete(token),
  };
}
