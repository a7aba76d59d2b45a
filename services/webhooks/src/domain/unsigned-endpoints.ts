import type { ClaimRoom } from './prefetch-room.ts';

/** For so long a process claims nothing of an endpoint whose secret it couldn't read; then a single delivery, to try again. */
export const LEFT_ALONE_MS = 30_000;
/** By so much, at most, it is longer: many endpoints are not tried in the same moment. */
const JITTER = 0.2;

/** Endpoints whose secret this process can't read. Others may have the key. */
export interface UnsignedEndpoints {
  note(endpointId: number): void;
  /** It has been changed, or something for it was signed. */
  forget(endpointId: number): void;
  has(endpointId: number): boolean;
  /** What a claim may bring, without theirs. */
  limit(room: ClaimRoom): ClaimRoom;
}

/** @param now in milliseconds, never set back */
export function createUnsignedEndpoints(
  now: () => number = () => performance.now(),
  random = Math.random,
): UnsignedEndpoints {
  const aloneUntil = new Map<number, number>();
  return {
    note(endpointId) {
      aloneUntil.set(endpointId, now() + LEFT_ALONE_MS * (1 + JITTER * random()));
    },
    forget: (endpointId) => void aloneUntil.delete(endpointId),
    has: (endpointId) => aloneUntil.has(endpointId),
    limit(room) {
      if (aloneUntil.size === 0) return room;
      const endpoints = new Map(room.endpoints);
      for (const [id, until] of aloneUntil)
        endpoints.set(id, Math.min(endpoints.get(id) ?? room.perEndpoint, until > now() ? 0 : 1));
      return { ...room, endpoints };
    },
  };
}
