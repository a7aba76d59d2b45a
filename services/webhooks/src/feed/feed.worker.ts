import { setTimeout as delay } from 'node:timers/promises';
import type { SystemScope } from '@frontdesk/database';
import { type Component, type Logger, loop } from '@frontdesk/service';
import { findFeedNews } from './feed.repository.ts';
import { createFeedWaits, type FeedWait } from './feed-waits.queue.ts';
import type { SettledFeed } from './settle-feed.ts';

const LOOK_EVERY_MS = 200;
const IDLE_MS = 60_000;

export interface FeedWorker extends Component {
  /** The number of a request, higher than those of earlier ones. */
  nextRequestNumber(): number;
  /** @returns whether something may have come in for the tenant behind that place; false where the wait has ended otherwise */
  wait(wait: FeedWait, signal: AbortSignal): Promise<boolean>;
  /** Ends all waits, so that a port can close. */
  endWaits(): void;
}

/**
 * Looks for the events that requests wait for: one statement for all of them, and none while nobody waits. A request is woken once its
 * event has settled: it could not have it earlier.
 */
export function createFeedWorker(options: {
  system: SystemScope;
  settled: Pick<SettledFeed, 'haveSettled'>;
  logger: Logger;
}): FeedWorker {
  const { system, settled, logger } = options;
  const waits = createFeedWaits();
  const looking = loop({
    name: 'feed',
    intervalMs: IDLE_MS,
    logger,
    async run(signal) {
      const all = waits.all();
      if (all.length === 0) return false;
      const news = await findFeedNews(system, all);
      if (news.length > 0) {
        const isSettled = await settled.haveSettled(news.map(({ first_id: id }) => id));
        waits.wake(new Set(news.flatMap(({ nth }, at) => (isSettled[at] ? (all[nth] ?? []) : []))));
      }
      await delay(LOOK_EVERY_MS, undefined, { signal });
      return true;
    },
  });
  return {
    ...looking,
    nextRequestNumber: waits.nextRequestNumber,
    endWaits: waits.close,
    wait(wait, signal) {
      const waited = waits.add(wait, signal);
      looking.wake();
      return waited;
    },
  };
}
