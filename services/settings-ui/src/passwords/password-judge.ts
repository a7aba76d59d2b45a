import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '@frontdesk/service';
import { createHashingQueue } from './hashing.queue.ts';
import type { Estimate } from './zxcvbn.rules.ts';

/** A safety net: far longer than any password takes. */
const JUDGED_WITHIN_MS = 10_000;
/** An idle thread ends after this time, and with it some 60 MB of memory are free. */
const IDLE_MS = 60_000;
/** Several times the heap that the dictionaries take. */
const MAX_HEAP_MB = 256;
const ENTRY = new URL('./password-judge.entry.ts', import.meta.url);

export interface JudgeRequest {
  password: string;
  names: string[];
}

/**
 * Judges how easily passwords are guessed, one at a time, in a thread of its own: one takes up to half a second, for
 * which nobody's page waits. A thread that fails or takes too long is replaced by the next one.
 */
export function createPasswordJudge({ entry = ENTRY, withinMs = JUDGED_WITHIN_MS } = {}) {
  const queue = createHashingQueue({ atOnce: 1 });
  const closing = new AbortController();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const end = async () => {
    clearTimeout(idle);
    const left = thread;
    thread = undefined;
    await left?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(entry, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const forget = () => {
      if (thread === started) thread = undefined;
    };
    started.on('error', forget);
    started.on('exit', forget);
    return started;
  };

  const judgeInThread = async (request: JudgeRequest): Promise<Estimate> => {
    clearTimeout(idle);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(withinMs)]);
    try {
      thread ??= start();
      const answer = once(thread, 'message', { signal });
      thread.postMessage(request);
      const [estimate] = (await answer) as [Estimate];
      idle = setTimeout(() => void end(), IDLE_MS).unref();
      return estimate;
    } catch (cause) {
      await end();
      throw new AppError(
        'service_unavailable',
        'New passwords can’t be checked right now. Please try again.',
        { cause, headers: { 'retry-after': '1' } },
      );
    }
  };

  return {
    /** For somebody of this tenant. @throws AppError `service_unavailable` where too many wait, or the thread fails */
    judge: (tenantId: number, request: JudgeRequest) => queue.run(tenantId, () => judgeInThread(request)),
    async stop() {
      closing.abort();
      await end();
    },
  };
}
