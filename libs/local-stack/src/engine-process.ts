import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { supervise } from './supervise.ts';
import type { LocalStart } from './types.ts';
import { withParent } from './with-parent.ts';

export interface EngineCommand {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  /** Emptied at every launch. Its last lines are part of every error and exit notice. */
  logFile: string;
  stopSignal: NodeJS.Signals;
  /** Runs as this user instead of our own. */
  user?: { uid: number; gid: number } | undefined;
  /** Longest wait for a start. A start whose process exits fails at once, unless its fault is transient. */
  startsWithinMs?: number;
  /** Before every launch, the first one too. */
  beforeLaunch?: () => void;
  isReady: (log: string) => boolean;
  /** Whether the log shows a fault that passes by itself: then even the first start is retried. */
  isTransient?: (log: string) => boolean;
}

const STARTS_WITHIN_MS = 300_000;
const STOPS_WITHIN_MS = 10_000;
const LOG_TAIL_LINES = 15;

/**
 * Starts an engine and waits until it is ready; throws with the end of its log. An unexpected exit is reported by a notice. With
 * `start.restart` the engine is then restarted on the same data.
 */
export async function startProcess(
  engine: EngineCommand,
  start: LocalStart,
): Promise<{ stop: () => Promise<void> }> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  const deadline = performance.now() + (engine.startsWithinMs ?? STARTS_WITHIN_MS);
  let hasStarted = false;
  let lastEnding = '';
  const engineProcess = supervise({
    launch: () => {
      engine.beforeLaunch?.();
      const child = launch(engine);
      const { pid } = child;
      try {
        if (pid !== undefined) start.record({ name: engine.name, pid, stopSignal: engine.stopSignal });
      } catch (error) {
        // An engine that the claim doesn't record would outlive its owner.
        child.kill('SIGKILL');
        throw error;
      }
      return child;
    },
    untilUp: (ending) => untilReady(engine, start.signal, ending),
    onUp() {
      if (hasStarted) start.notice(`${engine.name} is back.`);
      hasStarted = true;
      resolve();
    },
    onEnd(ending, { pauseMs, wasUp }) {
      if (!hasStarted) {
        if (performance.now() < deadline && engine.isTransient?.(readLog(engine.logFile))) return;
        return reject(new Error(`${engine.name} did not start (${ending}).\n${logTail(engine.logFile)}`));
      }
      const next = start.restart ? `; starting it again in ${pauseMs / 1_000} s` : '';
      const what = wasUp ? 'is gone' : 'did not start again';
      // The same fault again: its log was printed already.
      const tail = wasUp || ending !== lastEnding ? `\n${logTail(engine.logFile)}` : '';
      lastEnding = ending;
      start.notice(`${engine.name} ${what} (${ending})${next}.${tail}`);
      if (!start.restart) void engineProcess.stop();
    },
    stopSignal: engine.stopSignal,
    stopsWithinMs: STOPS_WITHIN_MS,
    signal: start.signal,
  });
  void engineProcess.finished.then(() => reject(new Error(`${engine.name}: the start was given up.`)));

  try {
    await ready;
  } catch (error) {
    await engineProcess.stop();
    throw error;
  }
  return { stop: engineProcess.stop };
}

/** Answers null once the engine is ready, else why it never will be. */
async function untilReady(
  { logFile, isReady, startsWithinMs = STARTS_WITHIN_MS }: EngineCommand,
  signal: AbortSignal,
  ending: () => string | null,
): Promise<string | null> {
  const deadline = performance.now() + startsWithinMs;
  for (;;) {
    const end = ending();
    if (end !== null) return end;
    if (signal.aborted) return 'the start was given up';
    if (isReady(readLog(logFile))) return null;
    if (performance.now() > deadline) return `not ready after ${startsWithinMs / 1_000} s`;
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
  const lines = readLog(logFile).trimEnd().split('\n');
  return `The end of ${logFile}:\n${lines.slice(-LOG_TAIL_LINES).join('\n')}`;
}

/** Empty where somebody has removed it. */
function readLog(logFile: string): string {
  try {
    return readFileSync(logFile, 'utf8');
  } catch {
    return '';
  }
}
