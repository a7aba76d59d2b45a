import { createFairQueue } from '@frontdesk/fair';
import type { Session } from '../session/session.rules.ts';

/** Streams of one process. Each of them asks a service every second. */
const MAX_STREAMS = 100;
/** Of one tenant, and at most half of the free places: a tenant may have fewer as they fill. It may always have one. */
const MAX_PER_TENANT = 20;
/** So that one admin's forgotten tabs don't take the places of colleagues. */
const MAX_PER_SESSION = 5;

interface Stream extends Pick<Session, 'tenantId' | 'token'> {
  end: () => void;
}

export function createStreamShares() {
  const sessions = createFairQueue<string>({ perHolder: MAX_PER_SESSION });
  const tenants = createFairQueue<number>({
    places: MAX_STREAMS,
    perHolder: (free) => Math.max(1, Math.min(MAX_PER_TENANT, Math.floor(free / 2))),
  });
  /** The oldest first. */
  const streams = new Set<Stream>();

  const giveBack = (stream: Stream) => {
    if (!streams.delete(stream)) return;
    tenants.giveBack(stream.tenantId);
    sessions.giveBack(stream.token);
  };
  /** Ends the oldest stream of the tenant with the most; false where no tenant has more than one. */
  const endOne = () => {
    const [largest = []] = [...Map.groupBy(streams, ({ tenantId }) => tenantId).values()].sort(
      (a, b) => b.length - a.length,
    );
    const [oldest] = largest;
    if (!oldest || largest.length === 1) return false;
    giveBack(oldest);
    oldest.end();
    return true;
  };

  return {
    /**
     * Takes a place for one stream. `end` is called when the place goes to a tenant that has none.
     * @returns how to give it back; null where no place is free
     */
    take({ tenantId, token }: Pick<Session, 'tenantId' | 'token'>, end: () => void): (() => void) | null {
      if (!sessions.take(token)) return null;
      const isTaken = () => tenants.take(tenantId);
      if (!isTaken() && !(tenants.heldBy(tenantId) === 0 && endOne() && isTaken())) {
        sessions.giveBack(token);
        return null;
      }
      const stream = { tenantId, token, end };
      streams.add(stream);
      return () => giveBack(stream);
    },
  };
}
