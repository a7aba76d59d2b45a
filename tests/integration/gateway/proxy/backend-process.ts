import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '../../../support/index.ts';

export interface BackendProcess {
  child: ChildProcess;
  /** What it answers to every request. */
  id: string;
  /** What it was asked, but for whether it lives. */
  requests(): string[];
  /** How often it was asked whether it lives. */
  probes(): number;
  /** Ends at once, and its port is free. */
  kill(): Promise<void>;
}

/** A real process that a gateway calls: it can be killed, paused (SIGSTOP) and started again. */
export async function startBackendProcess(at: { host: string; port: number }): Promise<BackendProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'backend.fixture.ts')], {
    env: { PATH: process.env.PATH, HOST: at.host, PORT: String(at.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await eventually(() => expect(output).toContain('listening\n'));
  const said = () => output.split('\n').slice(1, -1);
  const isProbe = (line: string) => line === 'GET /health/live';
  return {
    child,
    id: String(child.pid),
    requests: () => said().filter((line) => !isProbe(line)),
    probes: () => said().filter(isProbe).length,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
