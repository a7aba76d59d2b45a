import { rm, writeFile } from 'node:fs/promises';

/** Of Kafka's own tool for settings of users, which takes them from a file. */
export const SET_USER = 'kafka.admin.ConfigCommand';

/** The arguments by which Kafka's tool makes a user or changes its password. */
export const setUserArguments = (user: string, brokers: string, settingsFile: string): string[] => [
  ...['--bootstrap-server', brokers, '--alter', '--entity-type', 'users', '--entity-name', user],
  ...['--add-config-file', settingsFile],
];

/** What the file says: other users of the machine see a process's arguments. */
export const userSettings = (password: string): string => `SCRAM-SHA-512=password=${password}\n`;

/** The arguments by which a cluster that is formatted gets its users. */
export const usersAtFormat = (passwords: Readonly<Record<string, string>>): string[] =>
  Object.entries(passwords).flatMap(([user, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${user},password=${password}]`,
  ]);

/** A file of secrets, as long as the work lasts. */
export async function withSecretFile<Result>(
  file: string,
  content: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await writeFile(file, content, { mode: 0o600 });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
