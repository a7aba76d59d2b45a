import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from './engine-process.ts';
import { kafkaLibraries } from './kafka-libraries.ts';
import { kafkaLocalPort, serverProperties } from './kafka-settings.ts';
import { SET_USER, setUserArguments, userSettings, usersAtFormat, withSecretFile } from './kafka-users.ts';
import { javaCommand, kafkaFolder } from './requirements.js';
import { runCommand } from './run-command.ts';
import type { Engine, LocalStart } from './types.ts';

const TOOL_WITHIN_MS = 300_000;
/** Any 16 bytes in base64url: a cluster of one node needs no better name. */
const CLUSTER_ID = 'RnJvbnRkZXNrTG9jYWxTdA';

/** The real Apache Kafka broker, one KRaft node, its data kept in the directory. */
export async function startKafka(start: LocalStart): Promise<Engine> {
  const libraries = await kafkaLibraries(start);
  const data = join(start.directory, 'kafka');
  const users = start.kafkaUsers;
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

  const java = (args: string[]) =>
    runCommand(javaCommand(start.env), args, { timeoutMs: TOOL_WITHIN_MS, signal: start.signal });

  if (!existsSync(data)) {
    // Formatted under another name and then renamed: a format that a kill cut short is never taken for a whole one.
    const unfinished = `${data}.new`;
    const properties = join(start.directory, 'kafka-format.properties');
    await rm(unfinished, { recursive: true, force: true });
    await writeFile(properties, serverProperties(start.ports, unfinished, users));
    const added = usersAtFormat(users?.passwords ?? {});
    const format = onJava('kafka.tools.StorageTool', 'format', '-t', CLUSTER_ID, '-c', properties, ...added);
    // Java reads the passwords from a file: other users of the machine see a process's arguments.
    const words = join(start.directory, 'kafka-format.arguments');
    await withSecretFile(words, format.map((word) => JSON.stringify(word)).join('\n'), () =>
      java([`@${words}`]),
    );
    await rename(unfinished, data);
    await rm(properties);
  }

  const properties = join(start.directory, 'kafka.properties');
  await writeFile(properties, serverProperties(start.ports, data, users));
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
  const address = `127.0.0.1:${start.ports.kafka}`;
  if (!users) return { address, stop };
  const local = `127.0.0.1:${kafkaLocalPort(start.ports)}`;
  const settings = join(start.directory, 'kafka-user.properties');
  return {
    address,
    stop,
    setUser: (user, password) =>
      withSecretFile(settings, userSettings(password), async () => {
        await java(onJava(SET_USER, ...setUserArguments(user, local, settings)));
      }),
  };
}
