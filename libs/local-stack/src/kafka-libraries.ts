import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { kafkaFolder, kafkaLibrariesFolder, kafkaVersion } from './requirements.js';
import { runCommand } from './run-command.ts';
import type { LocalStart } from './types.ts';

const FETCH_WITHIN_MS = 300_000;
const FILES_PER_REPORT = 10;

/** The folder of the broker's jars; Maven fetches them the first time. */
export async function kafkaLibraries(
  start: Pick<LocalStart, 'cacheDirectory' | 'progress' | 'signal'>,
): Promise<string> {
  const folder = kafkaLibrariesFolder(start.cacheDirectory);
  if (existsSync(folder)) return folder;
  const title = `Fetching Apache Kafka ${kafkaVersion} with Maven (some 45 MB, once)`;
  start.progress(`${title} …`);
  const jars = new Set<string>();
  const onLine = (line: string) => {
    const [jar] = /[^/\s]+\.jar/.exec(line) ?? [];
    if (!jar || jars.has(jar)) return;
    jars.add(jar);
    if (jars.size % FILES_PER_REPORT === 0) start.progress(`${title}: ${jars.size} files`);
  };
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  try {
    // Maven leaves a target folder beside the pom that it is given.
    await cp(join(kafkaFolder, 'pom.xml'), join(unfinished, 'pom.xml'));
    await runCommand(
      'mvn',
      [
        '--batch-mode',
        '-f',
        join(unfinished, 'pom.xml'),
        'dependency:copy-dependencies',
        `-DoutputDirectory=${unfinished}`,
      ],
      { timeoutMs: FETCH_WITHIN_MS, signal: start.signal, onLine },
    );
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // another run was quicker
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}
