import { setTimeout as delay } from 'node:timers/promises';
import { AHEAD_TOLD_MS, type Grant, type RateWindow, type TakeShared } from '@frontdesk/redis';
import type { Logger } from '@frontdesk/service';
import { createLocalLimiter } from '../domain/local-limiter.ts';
import { type Decision, decisionFor, type Outcome, shareOf } from '../domain/rate-limit.ts';
import type { RoomAhead } from '../domain/room-ahead.ts';
import { createSharedCount } from './shared-count.ts';

/** Requests for which there is no room, but to which others may give some back, ask again after so long. */
const ASK_AGAIN_MS = 50;

export interface Limiter {
  /** Counts one request, if there is room for it in every window. */
  take(subject: string, windows: readonly RateWindow[]): Promise<Decision>;
  /** The state of the windows, without counting anything. */
  peek(subject: string, windows: readonly RateWindow[]): Promise<Decision>;
  /** The shared count, without counting anything. @throws when it can't be had */
  read(subject: string, windows: readonly RateWindow[]): Promise<Grant>;
}

interface Batch {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  outcome: Promise<Outcome>;
  decided(outcome: Promise<Outcome>): void;
}

/**
 * Decides by the shared count, or by this gateway's own share of the limits when that doesn't come in time. Requests of one subject that
 * arrive in one turn of the event loop share one call, and still get exact and different answers.
 */
export function createLimiter(options: {
  shared: TakeShared;
  /** Longest wait for the shared count. */
  timeoutMs: number;
  replicas: number;
  logger: Logger;
  /** For those who ask often; without it each request is counted before it goes on. */
  roomAhead?: RoomAhead;
  onDecision?: (decision: Decision) => void;
}): Limiter {
  const { roomAhead, replicas, onDecision } = options;
  const shared = createSharedCount(options);
  const local = createLocalLimiter();
  let batches = new Map<string, Batch>();
  const tries = new Map<string, Promise<void>>();

  const decide = async (subject: string, windows: readonly RateWindow[], count: number): Promise<Outcome> => {
    const grant = await shared.take(subject, windows, count);
    if (grant) return { grant, scope: 'shared', windows, isHeldElsewhere: grant.isHeldElsewhere };
    const share = shareOf(windows, replicas);
    return { grant: local.take(subject, share, count), scope: 'local', windows: share };
  };

  /** All at once, so that their calls travel together. */
  const decideAll = () => {
    const open = batches;
    batches = new Map();
    for (const { subject, windows, count, decided } of open.values())
      decided(decide(subject, windows, count));
  };

  const openBatch = (subject: string, windows: readonly RateWindow[]): Batch => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const batch: Batch = { subject, windows, count: 0, outcome: promise, decided: resolve };
    if (batches.size === 0) setImmediate(decideAll);
    batches.set(subject, batch);
    return batch;
  };

  const takeTogether = async (subject: string, windows: readonly RateWindow[]) => {
    const batch = batches.get(subject) ?? openBatch(subject, windows);
    const position = batch.count;
    batch.count += 1;
    const outcome = await batch.outcome;
    return { decision: decisionFor(position, outcome), isFinal: !outcome.isHeldElsewhere };
  };

  /** All who wait there for room of one subject go on together. */
  const nextTry = (subject: string) => {
    const next = tries.get(subject) ?? delay(ASK_AGAIN_MS).finally(() => tries.delete(subject));
    tries.set(subject, next);
    return next;
  };

  /** Nobody is refused while somebody else holds room that may come back. */
  const takeForSure = async (subject: string, windows: readonly RateWindow[]): Promise<Decision> => {
    const untilMs = performance.now() + AHEAD_TOLD_MS;
    for (;;) {
      const { decision, isFinal } = await takeTogether(subject, windows);
      if (decision.allowed || isFinal || performance.now() >= untilMs) return decision;
      await nextTry(subject);
    }
  };

  return {
    async take(subject, windows) {
      const decision = roomAhead?.use(subject, windows) ?? (await takeForSure(subject, windows));
      onDecision?.(decision);
      return decision;
    },
    async peek(subject, windows) {
      return decisionFor(-1, await decide(subject, windows, 0));
    },
    read: shared.read,
  };
}
