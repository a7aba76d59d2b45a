import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { identify, isRunning, type ProcessIdentity } from '@frontdesk/local-stack';

/** One running system for each directory: the lock file names the process that runs it. */
export async function takeInstanceLock(path: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dirname(path), { recursive: true });
  const holder = await tryToTake(path);
  if (holder) {
    if (isRunning(holder)) {
      throw new Error(`Frontdesk is running here already (process ${holder.pid}). Stop it first.`);
    }
    await rm(path, { force: true });
    if (await tryToTake(path)) throw new Error('Frontdesk is being started here already.');
  }
  return { release: () => rm(path, { force: true }) };
}

/** @returns undefined when the lock is ours now, else who holds or held it. */
async function tryToTake(path: string): Promise<ProcessIdentity | undefined> {
  try {
    await writeFile(path, JSON.stringify(identify(process.pid)), { flag: 'wx' });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return parse(await readFile(path, 'utf8'));
  }
}

/** A lock that was cut off while being written is nobody's. */
function parse(text: string): ProcessIdentity {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return { pid: 0, since: '' };
  }
}
