import { setTimeout as delay } from 'node:timers/promises';
import type { SystemScope } from '@frontdesk/database';
import { AppError } from '@frontdesk/service';
import { lastEventNumber, openTransactions } from './feed.repository.ts';
import { type FeedPosition, positionOf } from './feed.rules.ts';
import { createSettledPosition } from './settled-position.cache.ts';

const LOOK_EVERY_MS = 20;
/** Transactions here take milliseconds. Behind one that takes longer, readers get what was settled before it. */
const MAX_WAIT_MS = 500;

export interface SettledFeed {
  /** @throws AppError `service_unavailable` where nothing has settled so far */
  position(): Promise<FeedPosition>;
  /** The number of that position; -1 where nothing has settled so far. */
  number(): Promise<number>;
  /** Whether each of these events has settled by now, without a wait. */
  haveSettled(ids: readonly number[]): Promise<boolean[]>;
  /** The highest number that an event has been given, settled or not. */
  lastNumber(): Promise<number>;
}

/** How far the feed may be served. Calls at the same time share a look. */
export function createSettledFeed(system: SystemScope): SettledFeed {
  const known = createSettledPosition();
  let underWay: Promise<void> | undefined;

  async function settle(): Promise<void> {
    const wanted = await lastEventNumber(system);
    const until = performance.now() + MAX_WAIT_MS;
    for (let number = wanted; ; number = await lastEventNumber(system)) {
      known.look(number, await openTransactions(system));
      if ((known.position()?.number ?? -1) >= wanted || performance.now() > until) return;
      await delay(LOOK_EVERY_MS);
    }
  }

  async function reached(): Promise<FeedPosition | null> {
    underWay ??= settle().finally(() => {
      underWay = undefined;
    });
    await underWay;
    return known.position();
  }

  return {
    lastNumber: () => lastEventNumber(system),
    number: async () => (await reached())?.number ?? -1,
    async haveSettled(ids) {
      const last = await lastEventNumber(system);
      known.look(last, await openTransactions(system));
      const settled = known.position()?.number ?? -1;
      return ids.map((id) => positionOf(id, last).number <= settled);
    },
    async position() {
      const position = await reached();
      if (position) return position;
      throw new AppError('service_unavailable', 'The feed of events is not ready yet.', {
        headers: { 'retry-after': '1' },
      });
    },
  };
}
