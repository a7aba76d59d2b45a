import { join } from 'node:path';
import { type FileOwner, writeText } from '../keys/json-file.ts';
import { administratorPassword, type EnginePasswordFiles, usersOf } from './engine-passwords.ts';

/** The user who may do everything. */
export const KAFKA_ADMINISTRATOR = 'admin';

/** The passwords of all users of Kafka. */
export async function kafkaPasswords(files: EnginePasswordFiles): Promise<Record<string, string>> {
  const users = usersOf('kafka', files);
  return {
    [KAFKA_ADMINISTRATOR]: await administratorPassword('kafka', files),
    ...Object.fromEntries(users.map(({ user, passwords: [current] }) => [user, current])),
  };
}

/** A file for each user, named like them, as Kafka's own tool (`kafka-configs --add-config-file`) reads it. */
export async function writeKafkaUsers(
  directory: string,
  files: EnginePasswordFiles,
  owner: FileOwner | undefined,
): Promise<void> {
  for (const [user, password] of Object.entries(await kafkaPasswords(files))) {
    await writeText(join(directory, user), `SCRAM-SHA-512=password=${password}\n`, { mode: 0o600, owner });
  }
}
