import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failed } from './exit-codes.ts';

/** A running `listen`, as it describes itself to `trigger` in a file. */
export interface Listener {
  pid: number;
  /** The path of the socket or, on Windows, of the named pipe. */
  address: string;
  /** A request for an example must show this token. */
  token: string;
  /** The receiver's URL; null if the listener only shows events. */
  forward: string | null;
}

const OTHERS = 0o077;
/** Every system takes a socket's path of this length. */
const MAX_PATH_BYTES = 100;

/** The folder of this user's listeners. @throws Failed where others could have put something there */
async function openFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const folder = folderOf(env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // Windows keeps others out of a user's local data; it has no such owners and modes.
  const isOwn = process.platform === 'win32' || (found.uid === process.getuid?.() && !(found.mode & OTHERS));
  if (found.isDirectory() && isOwn) return folder;
  throw new Failed(
    `${folder} must be a folder of yours that is closed to others (chmod 700). Or set XDG_RUNTIME_DIR to a folder of your own.`,
  );
}

function folderOf(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'frontdesk', 'listeners');
  const { XDG_RUNTIME_DIR } = env;
  if (XDG_RUNTIME_DIR && isAbsolute(XDG_RUNTIME_DIR)) return join(XDG_RUNTIME_DIR, 'frontdesk');
  return join(tmpdir(), `frontdesk-${process.getuid?.()}`);
}

/** An address that nobody listens at. @throws Failed */
export async function newAddress(env: NodeJS.ProcessEnv): Promise<string> {
  const name = `listen-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\frontdesk-${name}`;
  const path = join(await openFolder(env), `${name}.sock`);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new Failed(`${path} is too long for a socket. Set XDG_RUNTIME_DIR to a shorter folder of your own.`);
}

/** Describes a listener in a file of the folder. @returns a function that removes the file */
export async function addListener(listener: Listener, env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  const path = join(await openFolder(env), `${listener.pid}.json`);
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(temporary, JSON.stringify(listener), { mode: 0o600, flag: 'wx' });
    // The file appears whole or not at all, and replaces one that a killed process with this number has left.
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return () => rm(path, { force: true });
}

/** All listeners with a description. Some may have been killed. */
export async function findListeners(env: NodeJS.ProcessEnv): Promise<Listener[]> {
  const folder = await openFolder(env);
  const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name));
  const texts = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Listener]));
}

/** Removes the files that a killed listener has left. */
export async function removeListener({ pid, address }: Listener, env: NodeJS.ProcessEnv): Promise<void> {
  await rm(join(await openFolder(env), `${pid}.json`), { force: true });
  if (process.platform !== 'win32') await rm(address, { force: true });
}
