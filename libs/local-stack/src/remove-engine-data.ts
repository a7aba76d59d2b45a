import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { claimDirectory } from './claim.ts';
import { dataFolderOutside } from './postgres-home.ts';
import { volumesNote } from './volumes.ts';

/** Makes the next start begin afresh. Throws when engines run in the directory; ends those that a killed owner left behind. */
export async function removeEngineData(
  directory: string,
  onProgress: (line: string) => void = () => {},
): Promise<void> {
  const path = resolve(directory);
  if (!existsSync(path)) return;
  await claimDirectory(path, onProgress);
  const outside = await dataFolderOutside(path);
  if (outside) await rm(outside, { recursive: true, force: true });
  if (existsSync(volumesNote(path))) await (await import('./containers.ts')).removeVolumes(path);
  await rm(path, { recursive: true, force: true });
}
