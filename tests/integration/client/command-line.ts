import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../support/index.ts';

/** The command line as it stands in this clone. */
export const FROM_SOURCE = [
  process.execPath,
  join(import.meta.dirname, '../../../sdk/typescript/src/cli/main.ts'),
];

/** The same with bounds that no stall reaches. */
export const PATIENT = [
  process.execPath,
  join(import.meta.dirname, '../../../sdk/typescript/testing/patient-frontdesk.ts'),
];

/** A user's run-time folder: nobody else's listeners are in it. */
export async function runTimeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'fd-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface Running {
  pid: number;
  stdout(): string;
  stderr(): string;
  /** The lines of `--json`. */
  records<Kind extends object>(type?: string): Kind[];
  kill(signal?: NodeJS.Signals): void;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

/** Starts the command line as a process of its own. */
export function startFrontdesk(
  words: readonly string[],
  env: Record<string, string>,
  command: readonly string[] = FROM_SOURCE,
): Running {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    records: <Kind extends object>(type?: string) =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Kind & { type: string })
        .filter((record) => type === undefined || record.type === type),
    kill: (signal = 'SIGINT') => void child.kill(signal),
  };
}

/** Runs it to its end. */
export async function runFrontdesk(
  words: readonly string[],
  env: Record<string, string>,
  command?: readonly string[],
) {
  const running = startFrontdesk(words, env, command);
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

/** Waits until it listens. @returns its signing secret, where it has made one up, and the cursor */
export function untilListening(running: Running) {
  return eventually(() => {
    const [started] = running.records<{ secret: string; cursor: string }>('started');
    if (!started) throw new Error(`It does not listen yet. ${running.stderr()}`);
    return started;
  });
}
