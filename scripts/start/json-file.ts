import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Undefined where there is no such file. */
export async function readJson<Content>(path: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Renamed into place: a reader sees the whole file or none. */
export async function writeJson(
  path: string,
  content: object,
  options: { mode: number; owner?: { uid: number; gid: number } | undefined },
): Promise<void> {
  const { mode, owner } = options;
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}.part`;
  await writeFile(partial, `${JSON.stringify(content, null, 2)}\n`, { mode });
  if (owner) await chown(partial, owner.uid, owner.gid);
  await rename(partial, path);
}
