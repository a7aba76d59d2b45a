import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in a directory of engines that names the volumes of its containers: they hold the data in its stead. */
export function volumesNote(directory: string): string {
  return join(directory, 'volumes');
}

export function volumeName(directory: string, engine: string): string {
  const note = volumesNote(directory);
  if (!existsSync(note)) writeFileSync(note, `frontdesk-${randomUUID()}`);
  return `${readFileSync(note, 'utf8')}-${engine}`;
}
