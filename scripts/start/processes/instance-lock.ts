import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from '@frontdesk/local-stack';
import { isPortBase } from './ports.ts';

/** The process that runs a system, and where the system's ports begin. */
interface Instance extends ProcessIdentity {
  portBase: number;
}

const lockIn = (directory: string) => join(directory, 'start.lock');

/** Allows one running system per directory. The lock file names its process and port base; `runningPortBase` reads it. */
export async function takeInstanceLock(
  directory: string,
  portBase: number,
): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const path = lockIn(directory);
  const holder = await tryToTake(path, portBase);
  if (holder) {
    if (isRunning(holder)) {
      throw new Error(`Frontdesk is running here already (process ${holder.pid}). Stop it first.`);
    }
    await rm(path, { force: true });
    if (await tryToTake(path, portBase)) throw new Error('Frontdesk is being started here already.');
  }
  return { release: () => rm(path, { force: true }) };
}

/** The port base of the system that runs in a directory; undefined where none runs, whatever lock a killed start left. */
export async function runningPortBase(directory: string): Promise<number | undefined> {
  const instance = parse(await readFile(lockIn(directory), 'utf8').catch(emptyWhereMissing));
  return isRunning(instance) && isPortBase(instance.portBase) ? instance.portBase : undefined;
}

/** @returns undefined when the lock is ours now, else who holds or held it. */
async function tryToTake(path: string, portBase: number): Promise<Instance | undefined> {
  try {
    await writeFile(path, JSON.stringify({ ...identify(process.pid), portBase }), { flag: 'wx' });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return parse(await readFile(path, 'utf8'));
  }
}

/** A lock that was cut off while being written, or names no process, is nobody's. */
function parse(text: string): Instance {
  const nobodys = { pid: 0, since: '', portBase: 0 };
  try {
    return { ...nobodys, ...(JSON.parse(text) as Partial<Instance> | null) };
  } catch {
    return nobodys;
  }
}

function emptyWhereMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
