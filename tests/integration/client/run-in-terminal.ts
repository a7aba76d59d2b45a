import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Types commands into one terminal, one after the other, in a folder. */
export function startInBash(commands: readonly string[], { directory }: { directory: string }) {
  const shell = spawn('bash', ['-s'], { cwd: directory, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(shell, 'close');
  let output = '';
  let errors = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  shell.stdin.end(`${commands.join('\n')}\n`);
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
