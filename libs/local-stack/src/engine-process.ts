import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalStart } from './types.ts';
import { withParent } from './with-parent.ts';

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
  isReady: (log: string) => boolean;
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
    if (engine.isReady(readFileSync(engine.logFile, 'utf8'))) return null;
    await sleep(50);
  }
}

/** A session of its own keeps a terminal's Ctrl-C from reaching the engine: services are to stop before it does. */
function launch(engine: EngineCommand): ChildProcess {
  const log = openSync(engine.logFile, 'w');
  const { command, args, options } = withParent(engine.command, engine.args, engine.stopSignal, engine.user);
  try {
    return spawn(command, args, { ...options, cwd: engine.cwd, detached: true, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}

function logTail(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  return `The end of ${logFile}:\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`;
}
