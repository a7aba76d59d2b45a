import type { Session } from './session.ts';

/** Streams of one process. Each of them asks the webhooks service every second. */
const MOST = 100;
/** Of one tenant, and at most half of what is left: the fuller they are, the less anybody may add. One is always allowed. */
const MOST_OF_TENANT = 20;
/** So that pages left open everywhere keep no colleague out. */
const MOST_OF_SESSION = 5;

interface Holder extends Pick<Session, 'tenantId' | 'token'> {
  end: () => void;
}

export interface StreamShares {
  /**
   * A place for one stream, and how it is given back; null where there is none. `end` is called where the place goes to a
   * tenant that has none.
   */
  take(session: Pick<Session, 'tenantId' | 'token'>, end: () => void): (() => void) | null;
}

export function createStreamShares(): StreamShares {
  /** The oldest first. */
  const holders = new Set<Holder>();

  return {
    take({ tenantId, token }, end) {
      const ofTenant = [...holders].filter((holder) => holder.tenantId === tenantId);
      const ofSession = ofTenant.filter((holder) => holder.token === token);
      const left = MOST - holders.size;
      const share = Math.max(1, Math.min(MOST_OF_TENANT, Math.floor(left / 2)));
      if (ofTenant.length >= share || ofSession.length >= MOST_OF_SESSION) return null;
      if (left === 0) {
        const given = oldestOfLargest(holders);
        if (!given) return null;
        holders.delete(given);
        given.end();
      }
      const holder = { tenantId, token, end };
      holders.add(holder);
      return () => void holders.delete(holder);
    },
  };
}

/** The stream that its tenant misses least; null where everybody has just one. */
function oldestOfLargest(holders: Iterable<Holder>): Holder | null {
  const byTenant = Map.groupBy(holders, ({ tenantId }) => tenantId);
  const [largest = []] = [...byTenant.values()].sort((a, b) => b.length - a.length);
  return largest.length > 1 ? (largest[0] ?? null) : null;
}
