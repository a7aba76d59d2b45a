import { execFile } from 'node:child_process';

interface RunOptions {
  timeoutMs: number;
  cwd?: string;
  signal?: AbortSignal;
  uid?: number;
  gid?: number;
  env?: NodeJS.ProcessEnv;
}

/** Runs a command to its end and answers all it said; throws, with the last lines of that, when it fails or takes too long. */
export function runCommand(command: string, args: string[], options: RunOptions): Promise<string> {
  const { timeoutMs, ...rest } = options;
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { ...rest, timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`;
        if (!error) return resolve(output);
        const reason = error.killed ? `took longer than ${timeoutMs / 1000} s` : error.message.split('\n')[0];
        reject(
          new Error(`${command} failed: ${reason}\n${output.trimEnd().split('\n').slice(-15).join('\n')}`),
        );
      },
    );
  });
}
