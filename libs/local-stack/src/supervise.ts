import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A process that was up this long has recovered: its next restart is as quick as the first. */
const STEADY_MS = 10_000;

export interface SupervisedOptions {
  /** Starts the process once. */
  launch: () => ChildProcess;
  /** Resolves with null once the process is up, or with the reason why it will not come up; it is then stopped. Default: up at once. */
  untilUp?: (ending: () => string | null) => Promise<string | null>;
  onUp?: () => void;
  /** Called after each exit that was not asked for, before the pause. */
  onEnd: (ending: string, next: { pauseMs: number; wasUp: boolean }) => void;
  stopSignal: NodeJS.Signals;
  /** SIGKILL follows after this time, or at once when `hasten` is aborted. */
  stopsWithinMs: number;
  hasten?: AbortSignal;
  /** Aborted: the process is not restarted. `stop` ends the current run. */
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
  /** Resolves once the process has ended and will not be restarted. */
  finished: Promise<void>;
  /** Ends the current run; no restart. */
  stop: () => Promise<void>;
}

interface Run {
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
  const stopped = AbortSignal.any([options.signal, stopping.signal]);
  let current: Run | undefined;

  async function runOnce(onUp: () => void): Promise<string> {
    const begun = startRun(options);
    current = begun;
    const fault = (await options.untilUp?.(begun.ending).catch(messageOf)) ?? null;
    if (fault === null) onUp();
    else await begun.stop();
    const ending = await begun.ended;
    return fault ?? ending;
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopped.aborted) {
      let upSince: number | null = null;
      const ending = await runOnce(() => {
        upSince = clock.now();
        options.onUp?.();
      }).catch(messageOf);
      current = undefined;
      if (stopped.aborted) return;
      if (upSince !== null && clock.now() - upSince >= STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      options.onEnd(ending, { pauseMs, wasUp: upSince !== null });
      await clock.pause(pauseMs, stopped);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
  const finished = keepRunning();

  return {
    pid: () => current?.child.pid,
    kill: (signal) => current?.child.kill(signal) ?? false,
    finished,
    async stop() {
      stopping.abort();
      await current?.stop();
      await finished;
    },
  };
}

function startRun({ launch, stopSignal, stopsWithinMs, hasten }: SupervisedOptions): Run {
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
