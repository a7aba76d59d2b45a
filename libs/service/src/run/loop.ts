import { backOffMs } from '@frontdesk/fair';
import type { Component } from './component.ts';
import type { Logger } from './logging.ts';

export interface Loop extends Component {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs a turn now, or once more after the turn that is under way. Cheap: wake as often as you like. */
  wake(): void;
}

const DEFAULT_MAX_BACKOFF_MS = 10_000;

/**
 * A worker that never stops trying. A turn that returns true is followed by another at once; otherwise by a wait of
 * `intervalMs` or until woken. A turn that throws is logged and tried again, later and later up to `maxBackoffMs`.
 * `stop` aborts the signal and waits for the turn under way.
 */
export function loop(options: {
  name: string;
  intervalMs: number;
  run: (signal: AbortSignal) => Promise<unknown>;
  logger: Logger;
  maxBackoffMs?: number;
}): Loop {
  const { name, intervalMs, run, logger, maxBackoffMs = DEFAULT_MAX_BACKOFF_MS } = options;
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let isWoken = false;
  let endWait = () => {};

  const wait = (ms: number) => {
    if (isWoken || abort.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    endWait = resolve;
    return promise.finally(() => clearTimeout(timer));
  };

  const turns = async () => {
    let failures = 0;
    while (!abort.signal.aborted) {
      isWoken = false;
      try {
        const hasMore = await run(abort.signal);
        failures = 0;
        if (hasMore !== true) await wait(intervalMs);
      } catch (error) {
        if (abort.signal.aborted) return;
        failures += 1;
        // At 1, 2, 4, 8 …: an outage of an hour is a handful of lines.
        if (Number.isInteger(Math.log2(failures))) {
          logger.error({ err: error, worker: name, failures }, 'worker turn failed');
        }
        isWoken = false;
        await wait(backOffMs(failures, maxBackoffMs));
      }
    }
  };

  return {
    name,
    async start() {
      running ??= turns();
    },
    async stop() {
      abort.abort();
      endWait();
      await running;
    },
    wake() {
      isWoken = true;
      endWait();
    },
  };
}
