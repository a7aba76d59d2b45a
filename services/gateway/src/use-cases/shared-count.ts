import type { AheadAsked, RateWindow, SharedGrant, TakeShared } from '@frontdesk/redis';
import type { Logger } from '@frontdesk/service';
import type { RoomAhead } from '../domain/room-ahead.ts';

/** While Redis is away one request in this many milliseconds asks whether it is back; none waits for the answer. */
const PROBE_INTERVAL_MS = 100;

/** The shared count, as long as it answers in time. */
export interface SharedCount {
  /** Null while it is away; who finds it away waits for no more than its time. */
  take(subject: string, windows: readonly RateWindow[], count: number): Promise<SharedGrant | null>;
  /** Counts nothing. @throws when it doesn't answer */
  read(subject: string, windows: readonly RateWindow[]): Promise<SharedGrant>;
}

export function createSharedCount(options: {
  shared: TakeShared;
  timeoutMs: number;
  logger: Logger;
  roomAhead?: RoomAhead;
}): SharedCount {
  const { shared, timeoutMs, logger, roomAhead } = options;
  let isAway = false;
  let lastProbeMs = 0;

  const ask = async (subject: string, windows: readonly RateWindow[], count: number) => {
    const ahead = roomAhead?.ask(subject, count);
    const answer = shared(subject, windows, count, ahead);
    try {
      const grant = await within(answer, timeoutMs);
      ahead?.granted(windows, grant);
      return grant;
    } catch (error) {
      ahead?.failed();
      // Room that comes too late would be in nobody's hands.
      answer
        .then(async (late) => {
          if (late.ahead > 0) await shared(subject, windows, 0, givingBack(late));
        })
        .catch(() => {});
      throw error;
    }
  };

  const probe = (subject: string, windows: readonly RateWindow[]) => {
    if (Date.now() - lastProbeMs < PROBE_INTERVAL_MS) return;
    lastProbeMs = Date.now();
    within(shared(subject, windows, 0), timeoutMs).then(
      () => {
        if (isAway) logger.info('shared rate limits are back');
        isAway = false;
      },
      () => {},
    );
  };

  return {
    async take(subject, windows, count) {
      if (isAway) {
        probe(subject, windows);
        return null;
      }
      try {
        return await ask(subject, windows, count);
      } catch (error) {
        if (!isAway) logger.warn({ err: error }, 'shared rate limits are away, counting locally');
        isAway = true;
        return null;
      }
    },
    read: (subject, windows) => ask(subject, windows, 0),
  };
}

const givingBack = ({ ahead, nowMs }: SharedGrant): AheadAsked => ({
  wanted: 0,
  ended: { granted: ahead, unused: ahead, grantedAtMs: nowMs },
});

/**
 * Rejects when the answer stays out longer. An answer that has arrived but waits behind a busy event loop still counts:
 * one more turn lets it be read.
 */
async function within<Value>(answer: Promise<Value>, ms: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(reject, new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
