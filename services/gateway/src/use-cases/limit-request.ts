import type { RateWindow, TakeShared } from '@frontdesk/redis';
import type { Logger } from '@frontdesk/service';
import { createLocalLimiter } from '../domain/local-limiter.ts';
import { type Decision, decisionFor, type Outcome, shareOf } from '../domain/rate-limit.ts';

/** While Redis is away one request in this many milliseconds asks whether it is back; none waits for the answer. */
const PROBE_INTERVAL_MS = 100;

export interface Limiter {
  /** Counts one request, if there is room for it in every window. */
  take(subject: string, windows: readonly RateWindow[]): Promise<Decision>;
  /** The state of the windows, without counting anything. */
  peek(subject: string, windows: readonly RateWindow[]): Promise<Decision>;
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
  onDecision?: (decision: Decision) => void;
}): Limiter {
  const local = createLocalLimiter();
  let batches = new Map<string, Batch>();
  let isSharedAway = false;
  let lastProbeMs = 0;

  const takeShared = async (subject: string, windows: readonly RateWindow[], count: number) => {
    try {
      return await within(options.shared(subject, windows, count), options.timeoutMs);
    } catch (error) {
      if (!isSharedAway) options.logger.warn({ err: error }, 'shared rate limits are away, counting locally');
      isSharedAway = true;
      return null;
    }
  };

  const probe = (subject: string, windows: readonly RateWindow[]) => {
    if (Date.now() - lastProbeMs < PROBE_INTERVAL_MS) return;
    lastProbeMs = Date.now();
    within(options.shared(subject, windows, 0), options.timeoutMs).then(
      () => {
        if (isSharedAway) options.logger.info('shared rate limits are back');
        isSharedAway = false;
      },
      () => {},
    );
  };

  const decide = async (subject: string, windows: readonly RateWindow[], count: number): Promise<Outcome> => {
    if (isSharedAway) probe(subject, windows);
    const grant = isSharedAway ? null : await takeShared(subject, windows, count);
    if (grant) return { grant, scope: 'shared', windows };
    const share = shareOf(windows, options.replicas);
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

  return {
    async take(subject, windows) {
      const batch = batches.get(subject) ?? openBatch(subject, windows);
      const position = batch.count;
      batch.count += 1;
      const decision = decisionFor(position, await batch.outcome);
      options.onDecision?.(decision);
      return decision;
    },
    async peek(subject, windows) {
      return decisionFor(-1, await decide(subject, windows, 0));
    },
  };
}

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
