import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where release 0.1.0 lies, with its own packages. */
export const { RELEASE_0_1_0: release = '' } = process.env;
const { PATH, JAVA_HOME } = process.env;

/** The release's own command line for operators. */
export const RELEASED_ADMIN = [process.execPath, join(release, 'scripts/admin/main.ts')];

/** Runs in the release: its first migrations of a service, in their order. Prints how many it has. */
const MIGRATE = `
  const [url, owner, most] = process.argv.slice(1);
  const { migrate } = await import(process.cwd() + '/libs/database/src/index.ts');
  const { migrations } = await import(process.cwd() + '/services/' + owner + '/src/data/migrations/index.ts');
  const order = (Step) => Number((new Step().name ?? Step.name).slice(-13));
  const first = migrations.toSorted((a, b) => order(a) - order(b)).slice(0, Number(most));
  await migrate({ url, migrations: first, logger: { info() {} } });
  console.log(migrations.length);`;

/** Brings a service's database to the release, or as far as its first migrations do. @returns how many the service has */
export async function migrateByRelease(url: string, owner: string, most = Infinity): Promise<number> {
  const args = ['--input-type=module', '-e', MIGRATE, url, owner, String(most)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: release });
  return Number(stdout);
}

export interface ReleasedSystem {
  get(path: string): Promise<{ status: number; body: { data?: unknown } }>;
  /** Sends the request for an appointment that the start shows as an example. */
  book(): Promise<number>;
}

/** The release's `npm start` over the directory's data, with its demo businesses, while `work` is under way. */
export async function withRelease(
  directory: string,
  portBase: number,
  work: (system: ReleasedSystem) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, ['scripts/start.ts', '--directory', directory], {
    cwd: release,
    env: { PATH, JAVA_HOME, PORT_BASE: String(portBase) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let shown = '';
  const isUp = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk;
      if (shown.includes('\nStop: ')) resolve();
    });
    child.once('close', () => reject(new Error(`Release 0.1.0 does not run:\n${shown}`)));
  });
  try {
    await isUp;
    await work(await systemAt(directory, portBase, /^ +-d '(\{.*\})'$/m.exec(shown)?.[1] ?? ''));
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

async function systemAt(directory: string, portBase: number, example: string): Promise<ReleasedSystem> {
  const { tenants } = JSON.parse(await readFile(join(directory, 'demo.json'), 'utf8'));
  // The example is of the last one.
  const headers = { authorization: `Bearer ${tenants.at(-1).api_key}`, 'content-type': 'application/json' };
  const send = (path: string, body?: string) =>
    fetch(`http://127.0.0.1:${portBase}${path}`, body ? { method: 'POST', headers, body } : { headers });
  return {
    async get(path) {
      const response = await send(path);
      return { status: response.status, body: (await response.json()) as { data?: unknown } };
    },
    async book() {
      const { status } = await send('/api/v1/appointments', example);
      return status;
    },
  };
}
