import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { type Supervised, supervise } from '@frontdesk/local-stack';
import { openLog } from './log-files.ts';
import { NODE_ENV, NODE_FLAGS, PRELOADED } from './node-settings.ts';

/** Longer than any service gives itself: past it, the service hangs. */
const STOP_TIMEOUT_MS = 25_000;

export interface ServiceOptions {
  name: string;
  /** The module to run, and the environment that it gets: nothing is inherited. */
  entry: string;
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  onNotice(line: string): void;
  /** Aborted when the system shall stop: the service is not started again from then on. */
  signal: AbortSignal;
  /** Aborted when the stop shall be over at once. */
  hasten: AbortSignal;
}

export interface SupervisedService extends Supervised {
  /** Resolves with how the process ended, the first time that it does without being told to. */
  firstExit: Promise<string>;
}

/** Runs one service as a process of its own and starts it again whenever it ends. */
export function superviseService(options: ServiceOptions): SupervisedService {
  const { promise: firstExit, resolve: reportFirstExit } = Promise.withResolvers<string>();
  const supervised = supervise({
    launch: () => launch(options),
    onEnd(ending, { pauseMs }) {
      reportFirstExit(ending);
      options.onNotice(`${options.name} ended (${ending}); starting it again in ${pauseMs / 1_000} s`);
    },
    stopSignal: 'SIGTERM',
    stopsWithinMs: STOP_TIMEOUT_MS,
    hasten: options.hasten,
    signal: options.signal,
  });
  return { ...supervised, firstExit };
}

/** In a process group of its own: a terminal's Ctrl-C reaches the supervisor alone. */
function launch(options: ServiceOptions): ChildProcess {
  const log = openLog(options.logFile);
  try {
    return spawn(process.execPath, [...NODE_FLAGS, '--import', PRELOADED, options.entry], {
      cwd: options.cwd,
      env: { ...NODE_ENV, ...options.env },
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
  } finally {
    closeSync(log);
  }
}
