import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from './errors.ts';

/** How long work may hold the event loop at a stretch. */
const SLICE_MS = 2;
/** Longer than anybody waits: the gateway gives up before, which the signal tells. */
const DEFAULT_TIMEOUT_MS = 60_000;

// One slice in each turn of the loop, however many work at the same time: all others wait for one slice, not for each of theirs.
let queue: Promise<void> = Promise.resolve();

const ownTurn = () => {
  queue = queue.then(() => nextTurn());
  return queue;
};

/**
 * Cuts long work into slices. Await what it returns after every little step: once a slice is used up, everything else that
 * waits for the event loop has its turn.
 *
 * @param signal aborts when nobody waits for the result any more, such as `clientGone` of a reply
 * @throws AppError `request_timeout` at the next step when it has, `upstream_timeout` after `timeoutMs`
 */
export function timeSlices({
  signal,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
} = {}): () => Promise<void> | undefined {
  const deadline = performance.now() + timeoutMs;
  let endOfSlice = performance.now() + SLICE_MS;

  const pause = async () => {
    await ownTurn();
    if (signal?.aborted) throw new AppError('request_timeout', 'Nobody waits for the answer any more.');
    if (performance.now() > deadline)
      throw new AppError('upstream_timeout', 'The answer took too long to work out.');
    endOfSlice = performance.now() + SLICE_MS;
  };
  return () => (performance.now() < endOfSlice ? undefined : pause());
}

export type TimeSlices = ReturnType<typeof timeSlices>;
