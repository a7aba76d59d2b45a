import { flushCompileCache } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Part } from './part.ts';

const INTERVAL_MS = 5_000;
/** Share of the time that the event loop may be busy in a process that counts as being at rest. */
const REST_UTILISATION = 0.05;
/** Growth since the last collection that is worth another one, in bytes. */
const WORTHWHILE_BYTES = 8 * 1024 * 1024;

/**
 * Gives memory back once the process has come to rest. V8 collects when it allocates, so a process that is done with its
 * start or with a burst keeps what these have left behind; beside nineteen others on one machine that adds up. Without
 * `--expose-gc` it does nothing.
 */
export function memoryReducer(): Part {
  let timer: NodeJS.Timeout | undefined;
  let last = performance.eventLoopUtilization();
  let heapAfter = 0;

  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization > REST_UTILISATION || process.memoryUsage().heapTotal - heapAfter < WORTHWHILE_BYTES)
      return;
    // What was loaded since.
    flushCompileCache();
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    heapAfter = process.memoryUsage().heapTotal;
  };

  return {
    name: 'memory reducer',
    async start() {
      // Node keeps what it has read from its cache, 6 MB beside the code itself, until it has written what is new.
      flushCompileCache();
      timer = setInterval(look, INTERVAL_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
