import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePorts } from '@frontdesk/local-stack';
import { request } from 'undici';
import { NODE_ENV, NODE_FLAGS, PRELOADED } from '../../scripts/start/processes/node-settings.ts';

/** A service's own process on free ports, quiet, and what it has used of the CPU. */
export interface ServiceProcess {
  url: string;
  internalUrl: string;
  pid: number;
  /** User and system time so far, in seconds, of all its threads. */
  cpuSeconds(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and its exit code; null where it died of something else. */
  stop(): Promise<number | null>;
}

/** Ends only what never comes. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 50;

export async function startService(entry: string, env: Record<string, string>): Promise<ServiceProcess> {
  const [port = 0, internalPort = 0] = await freePorts(2);
  const flags = [...NODE_FLAGS, '--import', PRELOADED];
  const child = spawn(process.execPath, [...flags, entry], {
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'error',
      ...NODE_ENV,
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  const internalUrl = `http://127.0.0.1:${internalPort}`;
  await ready(child, `${internalUrl}/health/live`);
  return {
    url: `http://127.0.0.1:${port}`,
    internalUrl,
    pid: child.pid ?? 0,
    async cpuSeconds() {
      const { body } = await request(`${internalUrl}/metrics`);
      const [, value] = /^process_cpu_seconds_total ([\d.e+-]+)/m.exec(await body.text()) ?? [];
      if (value === undefined) throw new Error('The service does not report its CPU time.');
      return Number(value);
    },
    async kill() {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
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
