import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end; `input` is what it reads from standard input. */
export async function runCommand(
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string } = {},
): Promise<CommandResult> {
  const [command = '', ...args] = words;
  const child = spawn(command, args, { env: options.env ?? process.env, cwd: options.cwd });
  child.stdin.on('error', () => {}); // A command that reads none of it may have ended.
  child.stdin.end(options.input ?? '');
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
