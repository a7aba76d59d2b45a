import { atMost } from '@frontdesk/service';
import { LRUCache } from 'lru-cache';

/** Only addresses that lead somewhere get in: strangers can't push them out. */
const MAX_SOURCES = 50_000;

/**
 * The sources that calls has lately spoken of otherwise than by 404. Whoever sends to one of them was told its address,
 * and isn't one of those who try addresses out.
 */
interface KnownSources {
  has(source: string): boolean;
  /** What calls answered to a message to the source. */
  learn(source: string, status: number): void;
}

/** Kept in this process alone: after a start each source is known again with its first message. */
export function createKnownSources(): KnownSources {
  const sources = new LRUCache<string, true>(atMost(MAX_SOURCES));
  return {
    has: (source) => sources.get(source) ?? false,
    learn(source, status) {
      if (status === 404) sources.delete(source);
      // Accepted, badly signed, suspended tenant, quota of the day used up: each of these answers means that the source exists.
      else if (status < 300 || status === 401 || status === 403 || status === 429) sources.set(source, true);
    },
  };
}
