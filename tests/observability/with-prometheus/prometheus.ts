import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually, freePort } from '../../support/index.ts';

const DIRECTORY = 'deploy/prometheus';
const DEFAULT_PORT_BASE = 4_000;

interface Sample {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

export interface Prometheus {
  /** What an expression has now. @throws Error where Prometheus does not take it. */
  query(expr: string): Promise<Sample[]>;
  stop(): Promise<void>;
}

/** The `prometheus` of this machine's PATH with npm-start.yml, for the system at `portBase`; it scrapes every second. */
export async function startPrometheus(portBase: number): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'frontdesk-prometheus-'));
  const config = join(directory, 'prometheus.yml');
  const given = await readFile(join(DIRECTORY, 'npm-start.yml'), 'utf8');
  await writeFile(
    config,
    given
      .replaceAll(/(_interval|_timeout): \d+s/g, '$1: 1s')
      .replaceAll(
        /127\.0\.0\.1:(\d+)"/g,
        (_, port) => `127.0.0.1:${portBase + Number(port) - DEFAULT_PORT_BASE}"`,
      )
      .replace('alerts/', `${resolve(DIRECTORY)}/alerts/`),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const data = join(directory, 'data');
  const child = spawn(
    'prometheus',
    [
      ...[`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=${address}`],
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(child, 'exit');
  await eventually(async () => expect((await fetch(`http://${address}/-/ready`)).status).toBe(200));
  return {
    async query(expr) {
      const answer = await fetch(`http://${address}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expr }),
      });
      const { data, error } = (await answer.json()) as { data?: { result: Sample[] }; error?: string };
      if (!data) throw new Error(`${expr}: ${error}`);
      return data.result;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
