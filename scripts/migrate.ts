import type { KafkaAccess } from '@frontdesk/events';
import { ConfigError, createLogger, EngineAccessError, kafkaEnv, loadConfig } from '@frontdesk/service';
import { z } from 'zod';
import { DATABASE_OWNERS, type DatabaseUrls } from './migrate/databases.ts';
import { migrateAll } from './migrate/migrate-all.ts';
import { administratorOf, readPostgresPasswords, withPasswordOf } from './migrate/postgres-passwords.ts';
import { prepareKafka } from './migrate/prepare-kafka.ts';
import { migrateRedisUsers } from './migrate/redis-users.ts';
import { readText } from './start/keys/json-file.ts';

/**
 * The migration job: POSTGRES_ADMIN_URL and <SERVICE>_DATABASE_URL (GATEWAY_DATABASE_URL, …) from the environment. URLs
 * without a password get theirs from POSTGRES_PASSWORDS_FILE, and PostgreSQL gets the roles' from here. With
 * REDIS_ADMIN_URL, Redis gets its users from REDIS_USERS_DIRECTORY. Kafka gets its topics and, as KAFKA_USERNAME, whose
 * password is in KAFKA_PASSWORD_FILE, the rights of its users.
 * Exits 0 when everything is at this release, 2 when a variable is missing, 1 when a migration failed.
 */
const variables = ['POSTGRES_ADMIN_URL', ...DATABASE_OWNERS.map(urlVariable)];
const missing = variables.filter((name) => !URL.canParse(process.env[name] ?? ''));

if (missing.length > 0) {
  console.error(`Missing or no URL: ${missing.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    const logger = createLogger({ name: 'migrate', level: process.env.LOG_LEVEL || 'warn' });
    const kafka = await kafkaAccess();
    const passwords = await readPostgresPasswords(process.env.POSTGRES_PASSWORDS_FILE);
    const { POSTGRES_ADMIN_URL = '', POSTGRES_PASSWORD } = process.env;
    const url = (variable: string) => withPasswordOf(passwords, process.env[variable] ?? '', variable).url;
    await migrateAll({
      ...administratorOf(passwords, POSTGRES_ADMIN_URL, POSTGRES_PASSWORD),
      urls: Object.fromEntries(
        DATABASE_OWNERS.map((owner) => [owner, url(urlVariable(owner))]),
      ) as DatabaseUrls,
      onBegin: (owner, name) => console.log(`${owner}: ${name} …`),
      onLock: (owner, name, what) => console.log(`${owner}: ${name} ${what}`),
      onMigrated: (owner) => console.log(`${owner}: up to date`),
      logger,
    });
    await migrateRedisUsers(process.env);
    await prepareKafka({ access: kafka, logger });
    console.log('kafka: up to date');
  } catch (error) {
    console.error(`The migration failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

function urlVariable(owner: string): string {
  return `${owner.toUpperCase().replace('-', '_')}_DATABASE_URL`;
}

async function kafkaAccess(): Promise<KafkaAccess> {
  const schema = z.object({ ...kafkaEnv, KAFKA_PASSWORD_FILE: z.string().min(1).optional() });
  const config = loadConfig(schema);
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD_FILE: file = '' } = config;
  const variable = 'KAFKA_PASSWORD_FILE';
  const password = username ? (await readText(file))?.trim() : undefined;
  if (username && !password)
    throw new EngineAccessError(variable, new Error(`there is no password in ${file || 'it'}`));
  return {
    brokers: config.KAFKA_BROKERS,
    prefix: config.KAFKA_PREFIX,
    caFile: config.KAFKA_CA_FILE,
    login: username && password ? { username, passwords: () => [password], variable } : undefined,
  };
}
