import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { terminalPath } from '../../support/bare-path.ts';

/** Runs commands in one shell, one after the other, in a folder; with `sh`, `curl` and `node` alone. */
export function startInShell(
  commands: readonly string[],
  { directory, env = {} }: { directory: string; env?: NodeJS.ProcessEnv },
) {
  const path = terminalPath();
  const shell = spawn(join(path, 'sh'), ['-c', commands.join('\n')], {
    env: { HOME: directory, ...env, PATH: path },
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(shell, 'close');
  let output = '';
  let errors = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    /** What was printed so far, without errors. */
    output: () => output,
    /** All that was printed, without errors. @throws where the last command has failed */
    async ended(): Promise<string> {
      const [code] = await ended;
      if (code !== 0) throw new Error(`The terminal ended with ${code}.\n${output}${errors}`);
      return output;
    },
    /** Ends the commands, and what they have started. */
    async stop(): Promise<void> {
      if (shell.exitCode === null && shell.signalCode === null && shell.pid)
        process.kill(-shell.pid, 'SIGTERM');
      await ended;
    },
  };
}
