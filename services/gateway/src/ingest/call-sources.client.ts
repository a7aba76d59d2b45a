import { callsRoutes, MAX_SOURCE_TOKENS, type RefusedByGateway } from '@frontdesk/contracts';
import { requestOf, type ServiceClient } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';
import { batchedLookup } from '../keys/batched-lookup.queue.ts';

/** Only sources that exist are cached: strangers can't push them out with unknown addresses, and a new source works at once. */
const MAX_SOURCES = 50_000;
/** For so long the gateway may pass on messages to a source that was deleted; calls then refuses them. */
const REMEMBERED_MS = 60_000;

interface Source {
  /** Null where calls is of an earlier release, which does not name it. */
  tenantId: number | null;
}

export interface CallSources {
  /**
   * Finds the source of an ingest address's token, or null. Clients that have failed too often share a look-up queue of their own.
   * @throws AppError `service_unavailable` where calls does not answer
   */
  find(token: string, isSuspect: () => boolean): Promise<Source | null>;
  /** Calls has answered that the source no longer exists. */
  forget(token: string): void;
  /** Has calls count messages that were refused before they reached it. */
  reportRefused(refused: RefusedByGateway[]): Promise<void>;
}

export function createCallSources(calls: Pick<ServiceClient, 'request'>): CallSources {
  const known = new LRUCache<string, Source>({ max: MAX_SOURCES, ttl: REMEMBERED_MS });
  const findMany = async (tokens: string[]) => {
    const body = { tokens, with_tenants: true };
    const found = await calls.request(requestOf(callsRoutes.findSources, { body }));
    return new Map(
      found.map((source): [string, Source] =>
        typeof source === 'string'
          ? [source, { tenantId: null }]
          : [source.token, { tenantId: source.tenant_id }],
      ),
    );
  };
  const findForAnyone = batchedLookup(findMany, MAX_SOURCE_TOKENS);
  const findForSuspect = batchedLookup(findMany, MAX_SOURCE_TOKENS);

  return {
    async find(token, isSuspect) {
      const remembered = known.get(token);
      if (remembered) return remembered;
      const source = await (isSuspect() ? findForSuspect : findForAnyone)(token);
      if (source) known.set(token, source);
      return source;
    },
    forget: (token) => void known.delete(token),
    async reportRefused(refused) {
      await calls.request(requestOf(callsRoutes.countRefusals, { body: { refused } }));
    },
  };
}
