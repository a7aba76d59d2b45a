import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors/app-error.ts';

/** Length of a slice: how long work may hold the event loop. */
const SLICE_MS = 2;
/** A safety net: the gateway gives up earlier, and the signal then aborts. */
const DEFAULT_TIMEOUT_MS = 60_000;

// One slice in each turn of the event loop, shared by all long work of the process: short requests wait for one slice at most.
let queue: Promise<void> = Promise.resolve();

const ownTurn = () => {
  queue = queue.then(() => nextTurn());
  return queue;
};

/**
 * Cuts long work into slices. Call the returned function after every small step and await its result: at the end of a
 * slice it lets other work have the event loop.
 *
 * @param options.signal ends the work when it aborts, for example `clientGone` of a reply
 * @returns a function that throws AppError `request_timeout` after the signal, `upstream_timeout` after `timeoutMs`
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
    if (signal?.aborted) throw new AppError('request_timeout', 'The client has gone.');
    if (performance.now() > deadline)
      throw new AppError('upstream_timeout', 'The answer took too long to work out.');
    endOfSlice = performance.now() + SLICE_MS;
  };
  return () => (performance.now() < endOfSlice ? undefined : pause());
}

export type TimeSlices = ReturnType<typeof timeSlices>;
