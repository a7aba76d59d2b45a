import { closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_LOG_BYTES = 10 * 1024 * 1024;

/** Opens a log for appending. One that has grown past 10 MiB is set aside as `.1`, in place of the one before. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  if (sizeOf(path) > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a');
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** What a file holds from a position on, in bytes; all of it where it has been begun again since, nothing where it is gone. */
export function readFrom(path: string, position: number): string {
  const size = sizeOf(path);
  if (size === 0) return '';
  const from = position <= size ? position : 0;
  const buffer = Buffer.alloc(size - from);
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, buffer.length, from));
  } finally {
    closeSync(descriptor);
  }
}
