import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { withParent } from './with-parent.ts';

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const TAIL_LINES = 15;

interface RunOptions {
  timeoutMs: number;
  cwd?: string;
  signal?: AbortSignal;
  user?: { uid: number; gid: number } | undefined;
  /** Each line of its output, as it comes. */
  onLine?: (line: string) => void;
}

/** Runs a command to its end and answers all it said; throws, with the last lines of that, when it fails or takes too long. */
export function runCommand(name: string, words: string[], options: RunOptions): Promise<string> {
  const { timeoutMs, user, onLine, ...rest } = options;
  const { command, args, options: identity } = withParent(name, words, 'SIGTERM', user);
  const settings = { ...rest, ...identity, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (!error) return resolve(output);
      const reason = error.killed
        ? `took longer than ${timeoutMs / 1000} s`
        : `ended with ${error.signal ?? error.code}`;
      const tail = output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
      reject(new Error(`${name} failed: it ${reason}.\n${tail}`));
    });
    if (onLine && child.stdout) createInterface({ input: child.stdout }).on('line', onLine);
  });
}
