import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from './engine-process.ts';
import { kafkaLibraries } from './kafka-libraries.ts';
import { serverProperties } from './kafka-settings.ts';
import { javaCommand, kafkaFolder } from './requirements.js';
import { runCommand } from './run-command.ts';
import type { Engine, LocalStart } from './types.ts';

const FORMAT_WITHIN_MS = 300_000;
/** Any 16 bytes in base64url: a cluster of one node needs no better name. */
const CLUSTER_ID = 'RnJvbnRkZXNrTG9jYWxTdA';

/** The real Apache Kafka broker, one KRaft node, its data kept in the directory. */
export async function startKafka(start: LocalStart): Promise<Engine> {
  const libraries = await kafkaLibraries(start);
  const data = join(start.directory, 'kafka');
  const onJava = (main: string, ...args: string[]) => [
    '-Xmx256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:+ExitOnOutOfMemoryError',
    `-Dlog4j2.configurationFile=${join(kafkaFolder, 'log4j2.properties')}`,
    '-cp',
    join(libraries, '*'),
    main,
    ...args,
  ];

  if (!existsSync(data)) {
    // Formatted under another name and then renamed: a format that a kill cut short is never taken for a whole one.
    const unfinished = `${data}.new`;
    const properties = join(start.directory, 'kafka-format.properties');
    await rm(unfinished, { recursive: true, force: true });
    await writeFile(properties, serverProperties(start.ports, unfinished));
    const format = onJava('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties);
    await runCommand(javaCommand(start.env), format, { timeoutMs: FORMAT_WITHIN_MS, signal: start.signal });
    await rename(unfinished, data);
    await rm(properties);
  }

  const properties = join(start.directory, 'kafka.properties');
  await writeFile(properties, serverProperties(start.ports, data));
  const { stop } = await startProcess(
    {
      name: 'Kafka',
      command: javaCommand(start.env),
      args: onJava('kafka.Kafka', properties),
      cwd: start.directory,
      logFile: join(start.directory, 'kafka.log'),
      stopSignal: 'SIGTERM',
      isReady: (log) => log.includes('Kafka Server started'),
    },
    start,
  );
  return { address: `127.0.0.1:${start.ports.kafka}`, stop };
}
