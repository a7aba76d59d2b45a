import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileOwner {
  uid: number;
  gid: number;
}

interface FileAccess {
  mode: number;
  /** By default the user who writes it. */
  owner?: FileOwner | undefined;
}

/** Undefined where there is no such file. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Renamed into place: a reader sees the whole file or none. */
export async function writeText(path: string, content: string, { mode, owner }: FileAccess): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.part`;
  await writeFile(partial, content, { mode });
  if (owner) await chown(partial, owner.uid, owner.gid);
  await rename(partial, path);
}

/** Undefined where there is no such file. */
export async function readJson<Content>(path: string): Promise<Content | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as Content);
}

export const writeJson = (path: string, content: object, access: FileAccess): Promise<void> =>
  writeText(path, `${JSON.stringify(content, null, 2)}\n`, access);
