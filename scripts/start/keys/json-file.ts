import { randomUUID } from 'node:crypto';
import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface FileOwner {
  uid: number;
  gid: number;
}

export interface FileAccess {
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

/** Renamed into place: a reader sees the whole file or none, and `*` in a shell never the part that a killed process left. */
export async function writeText(path: string, content: string, { mode, owner }: FileAccess): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const partial = join(directory, `.${basename(path)}.${randomUUID()}.part`);
  await writeFile(partial, content, { mode });
  if (owner) await chown(partial, owner.uid, owner.gid);
  await rename(partial, path);
}

/** Undefined where there is no such file. @throws Error naming a file that is damaged, and its cure: the gentlest for this file. */
export async function readJson<Content>(path: string, cure: string): Promise<Content | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Content;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${cure}.`, { cause });
  }
}

export const jsonText = (content: object) => `${JSON.stringify(content, null, 2)}\n`;

export const writeJson = (path: string, content: object, access: FileAccess): Promise<void> =>
  writeText(path, jsonText(content), access);
