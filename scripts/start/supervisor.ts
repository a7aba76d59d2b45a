import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from './log-files.ts';
import { NODE_ENV, NODE_FLAGS, PRELOADED } from './node-settings.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A service that stayed up this long has recovered: its next restart is as quick as the first. */
const STEADY_MS = 10_000;
/** Longer than any service gives itself: past it, the service hangs. */
const STOP_TIMEOUT_MS = 25_000;

export interface SupervisedOptions {
  name: string;
  /** The module to run, and the environment that it gets: nothing is inherited. */
  entry: string;
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  onNotice(line: string): void;
  /** Aborted when the stop shall be over at once. */
  hasten: AbortSignal;
}

export interface Supervised {
  name: string;
  pid(): number | undefined;
  kill(signal: NodeJS.Signals): boolean;
  /** Resolves with how the process ended, the first time that it does without being told to. */
  firstExit: Promise<string>;
  /** SIGTERM, SIGKILL after 25 s or when hastened. No restart follows. */
  stop(): Promise<void>;
}

/** Runs one service as a process of its own and starts it again whenever it ends, after 0.5 s, doubling to 10 s. */
export function supervise(options: SupervisedOptions): Supervised {
  const stopping = new AbortController();
  const { promise: firstExit, resolve: reportFirstExit } = Promise.withResolvers<string>();
  let child: ChildProcess | undefined;

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      const ended = await runOnce(options, (process) => {
        child = process;
      });
      child = undefined;
      if (stopping.signal.aborted) return;
      if (performance.now() - begun >= STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      reportFirstExit(ended);
      options.onNotice(`${options.name} ended (${ended}); starting it again in ${pauseMs / 1_000} s`);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
  const finished = keepRunning();

  return {
    name: options.name,
    pid: () => child?.pid,
    kill: (signal) => child?.kill(signal) ?? false,
    firstExit,
    async stop() {
      stopping.abort();
      child?.kill('SIGTERM');
      const overdue = AbortSignal.any([options.hasten, AbortSignal.timeout(STOP_TIMEOUT_MS)]);
      const killNow = () => child?.kill('SIGKILL');
      if (overdue.aborted) killNow();
      overdue.addEventListener('abort', killNow, { once: true });
      await finished;
      overdue.removeEventListener('abort', killNow);
    },
  };
}

/** One life of the process, in a process group of its own: a terminal's Ctrl-C reaches the supervisor alone. */
function runOnce(options: SupervisedOptions, onSpawn: (child: ChildProcess) => void): Promise<string> {
  const log = openLog(options.logFile);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...NODE_FLAGS, '--import', PRELOADED, options.entry], {
      cwd: options.cwd,
      env: { ...NODE_ENV, ...options.env },
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    onSpawn(child);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}
