import type { Session } from '../domain/sign-in/session.ts';

/** Streams of one process. Each of them asks a service every second. */
const MAX_STREAMS = 100;
/** Of one tenant, and at most half of the free places: a tenant may have fewer as they fill. It may always have one. */
const MAX_PER_TENANT = 20;
/** So that one admin's forgotten tabs don't take the places of colleagues. */
const MAX_PER_SESSION = 5;

interface Holder extends Pick<Session, 'tenantId' | 'token'> {
  end: () => void;
}

export function createStreamShares() {
  /** The oldest first. */
  const holders = new Set<Holder>();

  return {
    /**
     * Takes a place for one stream. `end` is called when the place goes to a tenant that has none.
     * @returns how to give it back; null where no place is free
     */
    take({ tenantId, token }: Pick<Session, 'tenantId' | 'token'>, end: () => void): (() => void) | null {
      const ofTenant = [...holders].filter((holder) => holder.tenantId === tenantId);
      const ofSession = ofTenant.filter((holder) => holder.token === token);
      const left = MAX_STREAMS - holders.size;
      const share = Math.max(1, Math.min(MAX_PER_TENANT, Math.floor(left / 2)));
      if (ofTenant.length >= share || ofSession.length >= MAX_PER_SESSION) return null;
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

/** The oldest stream of the tenant with the most; null where no tenant has more than one. */
function oldestOfLargest(holders: Iterable<Holder>): Holder | null {
  const byTenant = Map.groupBy(holders, ({ tenantId }) => tenantId);
  const [largest = []] = [...byTenant.values()].sort((a, b) => b.length - a.length);
  return largest.length > 1 ? (largest[0] ?? null) : null;
}
