import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A process that was up this long has recovered: its next restart is as quick as the first. */
const STEADY_MS = 10_000;

export interface SupervisedOptions {
  /** Begins one life of the process. */
  launch: () => ChildProcess;
  /** Waits until it is up; answers null then, else why it never will be, and it is stopped. By default it is up at once. */
  untilUp?: (ending: () => string | null) => Promise<string | null>;
  onUp?: () => void;
  /** Hears of every end that nobody asked for, before the pause that comes before the next life. */
  onEnd: (ending: string, next: { pauseMs: number; wasUp: boolean }) => void;
  stopSignal: NodeJS.Signals;
  /** What has not ended so long after `stopSignal` is killed; at once where `hasten` is aborted. */
  stopsWithinMs: number;
  hasten?: AbortSignal;
  /** Aborted: no life begins any more. The one under way is left to `stop`. */
  signal: AbortSignal;
  clock?: Clock;
}

interface Clock {
  now: () => number;
  /** Ends early where the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Supervised {
  pid: () => number | undefined;
  kill: (signal: NodeJS.Signals) => boolean;
  /** Resolves once no life is under way and none will begin. */
  finished: Promise<void>;
  /** Ends the life under way; none follows. */
  stop: () => Promise<void>;
}

interface Life {
  child: ChildProcess;
  /** How it ended; null before. */
  ending: () => string | null;
  ended: Promise<string>;
  stop: () => Promise<void>;
}

const realClock: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/** Runs a process and starts it again whenever it ends, after 0.5 s, doubling to 10 s while it doesn't stay up. */
export function supervise(options: SupervisedOptions): Supervised {
  const { clock = realClock } = options;
  const stopping = new AbortController();
  const over = AbortSignal.any([options.signal, stopping.signal]);
  let life: Life | undefined;

  async function runOnce(onUp: () => void): Promise<string> {
    const begun = beginLife(options);
    life = begun;
    const fault = (await options.untilUp?.(begun.ending).catch(messageOf)) ?? null;
    if (fault === null) onUp();
    else await begun.stop();
    const ending = await begun.ended;
    return fault ?? ending;
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!over.aborted) {
      let upSince: number | null = null;
      const ending = await runOnce(() => {
        upSince = clock.now();
        options.onUp?.();
      }).catch(messageOf);
      life = undefined;
      if (over.aborted) return;
      if (upSince !== null && clock.now() - upSince >= STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      options.onEnd(ending, { pauseMs, wasUp: upSince !== null });
      await clock.pause(pauseMs, over);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
  const finished = keepRunning();

  return {
    pid: () => life?.child.pid,
    kill: (signal) => life?.child.kill(signal) ?? false,
    finished,
    async stop() {
      stopping.abort();
      await life?.stop();
      await finished;
    },
  };
}

function beginLife({ launch, stopSignal, stopsWithinMs, hasten }: SupervisedOptions): Life {
  const child = launch();
  let ending: string | null = null;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      ending ??= how;
      resolve(ending);
    };
    child.on('error', (error) => {
      // Of a process that runs, an error says that a signal could not be sent.
      if (child.pid === undefined) end(error.message);
    });
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  const stop = async () => {
    if (ending !== null) return;
    child.kill(stopSignal);
    const overdue = AbortSignal.any([AbortSignal.timeout(stopsWithinMs), ...(hasten ? [hasten] : [])]);
    const killNow = () => child.kill('SIGKILL');
    if (overdue.aborted) killNow();
    overdue.addEventListener('abort', killNow, { once: true });
    await ended;
    overdue.removeEventListener('abort', killNow);
  };
  let stopped: Promise<void> | undefined;
  return {
    child,
    ending: () => ending,
    ended,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
