import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/**
 * Preloaded into every process that is looked at: on SIGUSR2 it writes the URLs of the files that have had a function called since the
 * last time, as `<pid>.json`, into the directory that its own URL names.
 */
const directory = new URL(import.meta.url).searchParams.get('into') ?? '';
const file = join(directory, `${process.pid}.json`);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function reportFiles(): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const called = result.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  // Whoever waits for the file finds all of it.
  writeFileSync(`${file}.part`, JSON.stringify(called.map(({ url }) => url)));
  renameSync(`${file}.part`, file);
}

process.on('SIGUSR2', () => void reportFiles());
