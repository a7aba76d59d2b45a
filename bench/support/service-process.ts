import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';

/** A service's own process on free ports, quiet, and what it has used of the CPU. */
export interface ServiceProcess {
  url: string;
  /** User and system time so far, in seconds, of all its threads. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;
const POLL_MS = 50;

export async function startService(options: {
  entry: string;
  ports: { api: number; internal: number };
  env: Record<string, string>;
}): Promise<ServiceProcess> {
  const { entry, ports, env } = options;
  const child = spawn(process.execPath, ['--max-semi-space-size=8', '--expose-gc', entry], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'error',
      ...env,
      HOST: '127.0.0.1',
      PORT: String(ports.api),
      INTERNAL_PORT: String(ports.internal),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const internal = `http://127.0.0.1:${ports.internal}`;
  await ready(child, `${internal}/health/live`);
  return {
    url: `http://127.0.0.1:${ports.api}`,
    async cpuSeconds() {
      const { body } = await request(`${internal}/metrics`);
      const [, value] = /^process_cpu_seconds_total ([\d.e+-]+)/m.exec(await body.text()) ?? [];
      if (value === undefined) throw new Error('The service does not tell its CPU time.');
      return Number(value);
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}.`);
    const isUp = await request(url).then(
      ({ statusCode, body }) => body.dump().then(() => statusCode === 200),
      () => false,
    );
    if (isUp) return;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error('The service did not come up.');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
