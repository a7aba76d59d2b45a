import { type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Runs a command to its end; SIGINT, SIGTERM and SIGHUP that arrive meanwhile are for it alone. `output` is what it said, where piped. */
export function runToEnd(
  command: string,
  args: string[],
  options: SpawnOptions,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options);
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, forward);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve({ code: code ?? 128 + constants.signals[signal ?? 'SIGKILL'], output });
    });
  });
}
