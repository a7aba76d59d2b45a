import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStart } from './types.ts';

export interface EngineCommand {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  /** Emptied at every start; its end is part of every error. */
  logFile: string;
  stopSignal: NodeJS.Signals;
  /** Runs as this user instead of our own. */
  user?: { uid: number; gid: number } | undefined;
  startsWithinMs: number;
  isReady: (log: string) => boolean | Promise<boolean>;
}

const STOPS_WITHIN_MS = 10_000;
const LOG_TAIL_LINES = 15;

/** Runs an engine until it is ready, or throws an error that ends with what its log says last. */
export async function startProcess(
  engine: EngineCommand,
  start: LocalStart,
): Promise<{ stop: () => Promise<void> }> {
  const child = launch(engine);
  if (child.pid !== undefined) {
    start.record({ name: engine.name, pid: child.pid, stopSignal: engine.stopSignal });
  }
  let ending: string | null = null;
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      ending = error.message;
      resolve();
    });
    child.once('exit', (code, signal) => {
      ending = `it ended with ${signal ?? `code ${code}`}`;
      resolve();
    });
  });
  const stop = async () => {
    stopping = true;
    if (ending !== null) return;
    child.kill(engine.stopSignal);
    const killer = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS);
    await ended;
    clearTimeout(killer);
  };

  const fault = await untilReady(engine, start.signal, () => ending);
  if (fault) {
    await stop();
    throw new Error(`${engine.name} did not start: ${fault}.\n${logTail(engine.logFile)}`);
  }
  void ended.then(() => {
    if (!stopping) start.failed(new Error(`${engine.name} is gone: ${ending}.\n${logTail(engine.logFile)}`));
  });
  return { stop };
}

/** Answers null once the engine is ready, else why it never will be. */
async function untilReady(
  engine: EngineCommand,
  signal: AbortSignal,
  ending: () => string | null,
): Promise<string | null> {
  const deadline = Date.now() + engine.startsWithinMs;
  for (;;) {
    const end = ending();
    if (end) return end;
    if (signal.aborted) return 'the start was given up';
    if (Date.now() > deadline) return `it was not ready after ${engine.startsWithinMs / 1000} s`;
    if (await engine.isReady(readFileSync(engine.logFile, 'utf8'))) return null;
    await sleep(50);
  }
}

/**
 * A session of its own keeps a terminal's Ctrl-C from reaching the engine, so that services stop before it does; the
 * kernel passes the stop signal on should this process die without stopping it (on Linux; elsewhere the next start does).
 */
function launch({ command, args, cwd, logFile, stopSignal, user }: EngineCommand): ChildProcess {
  const log = openSync(logFile, 'w');
  const options: SpawnOptions = { cwd, detached: true, stdio: ['ignore', log, log] };
  try {
    if (!hasSetpriv()) return spawn(command, args, { ...options, ...user });
    return spawn('setpriv', [...setprivFlags(stopSignal, user), command, ...args], options);
  } finally {
    closeSync(log);
  }
}

function setprivFlags(stopSignal: NodeJS.Signals, user: EngineCommand['user']): string[] {
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  return [...identity, '--pdeathsig', stopSignal.replace('SIG', '')];
}

function hasSetpriv(): boolean {
  return spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
}

function logTail(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  return `The end of ${logFile}:\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`;
}
