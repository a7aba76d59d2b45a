import { readFile, rename, writeFile } from 'node:fs/promises';
import type { DemoTenant } from '../seed/index.ts';

/** What a demo holds, as `.local/demo.json` tells whoever wants to try or test the running system. */
export interface Demo {
  gateway_url: string;
  tenants: DemoTenant[];
}

export async function readDemo(path: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Demo;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Renamed into place: a reader sees the whole file or none. It holds API keys, hence only its owner may read it. */
export async function writeDemo(path: string, demo: Demo): Promise<void> {
  const partial = `${path}.${process.pid}.part`;
  await writeFile(partial, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(partial, path);
}
