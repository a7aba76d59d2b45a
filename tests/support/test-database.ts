import { createHash, randomUUID } from 'node:crypto';
import { type MigrationClass, migrate } from '@frontdesk/database';
import { Client } from 'pg';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';
import { fromSetUp } from './from-set-up.ts';
import { logger } from './logger.ts';
import { PATIENT_MS } from './patient-env.ts';

const PATIENCE_MS = 60_000;
/** For `createDatabase`: no bound of a service's ends what is only slow. */
export const PATIENT_BOUNDS = {
  tenantWaitMs: PATIENCE_MS,
  requestMs: PATIENCE_MS,
  connectionTimeoutMillis: PATIENCE_MS,
  statement_timeout: PATIENCE_MS,
  query_timeout: PATIENCE_MS,
  lock_timeout: PATIENCE_MS,
  idle_in_transaction_session_timeout: PATIENCE_MS,
};

const STATEMENT_BOUNDS = [
  'statement_timeout',
  'query_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
];

/** For a service's DATABASE_URL, as no variable sets these bounds: node-postgres takes those in an address before its caller's. */
export function patientUrl(url: string): string {
  const patient = new URL(url);
  for (const bound of STATEMENT_BOUNDS) patient.searchParams.set(bound, PATIENT_MS);
  return patient.toString();
}

type Admin = (sql: string) => Promise<{ datname: string }[]>;

/**
 * A database of its own, migrated. Only the first one of a run and day with these migrations runs them; the others are
 * copies of that template, which takes some 50 ms. The prefix shows in the database's name.
 */
export async function createTestDatabase(
  migrations: readonly MigrationClass[],
  prefix: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `${prefix}_${runId()}_${randomUUID().slice(0, 8)}`;
  await asAdmin(async (admin) => {
    const template = await templateOf(migrations, admin);
    await untilUnused(() => admin(`CREATE DATABASE "${name}" TEMPLATE "${template}"`));
  });
  return { url: databaseUrl(name), drop: () => asAdmin((admin) => drop(name, admin)) };
}

/** Drops what this run has left on engines that outlive it: templates, and databases of tests that died. */
export async function dropTestDatabases(): Promise<void> {
  await asAdmin(async (admin) => {
    const left = await admin(`SELECT datname FROM pg_database WHERE datname LIKE '%\\_${runId()}\\_%'`);
    for (const { datname } of left) await drop(datname, admin);
  });
}

async function templateOf(migrations: readonly MigrationClass[], admin: Admin): Promise<string> {
  const day = new Date().toISOString().slice(0, 10); // migrations make the partitions of the days to come
  const hash = createHash('sha256')
    // Migrations that one function makes differ by their names alone.
    .update([day, ...migrations.map((Step) => `${new Step().name} ${Step}`)].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const template = `template_${runId()}_${hash}`;
  const exists = async () =>
    (await admin(`SELECT datname FROM pg_database WHERE datname = '${template}'`)).length > 0;
  if (await exists()) return template;

  await admin(`SELECT pg_advisory_lock(x'${hash}'::bigint)`); // freed when the connection ends
  if (await exists()) return template;
  const unfinished = `unfinished_${runId()}_${hash}`;
  await drop(unfinished, admin);
  await admin(`CREATE DATABASE "${unfinished}"`);
  await eventually(() => migrate({ url: databaseUrl(unfinished), migrations, logger }));
  await untilUnused(() => admin(`ALTER DATABASE "${unfinished}" RENAME TO "${template}"`));
  return template;
}

async function drop(name: string, admin: Admin): Promise<void> {
  await untilUnused(() => admin(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

/** PostgreSQL refuses this while a session is still in the database: it waits five seconds for the last one to go. */
const untilUnused = (change: () => Promise<unknown>) => eventually(change);

function runId(): string {
  return fromSetUp('TEST_RUN_ID');
}

async function asAdmin<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: engines().databaseUrl });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query<{ datname: string }>(sql)).rows);
  } finally {
    await client.end();
  }
}

function databaseUrl(name: string): string {
  const url = new URL(engines().databaseUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
