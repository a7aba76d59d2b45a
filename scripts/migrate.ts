import { createLogger } from '@frontdesk/service';
import { DATABASE_OWNERS, type DatabaseUrls } from './migrate/databases.ts';
import { migrateAll } from './migrate/migrate-all.ts';

/**
 * The migration job: POSTGRES_ADMIN_URL and <SERVICE>_DATABASE_URL (GATEWAY_DATABASE_URL, …) from the environment.
 * Exits 0 when every database is at this release, 2 when a variable is missing, 1 when a migration failed.
 */
const variables = ['POSTGRES_ADMIN_URL', ...DATABASE_OWNERS.map(urlVariable)];
const missing = variables.filter((name) => !URL.canParse(process.env[name] ?? ''));

if (missing.length > 0) {
  console.error(`Missing or no URL: ${missing.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    const applied = await migrateAll({
      adminUrl: process.env.POSTGRES_ADMIN_URL ?? '',
      urls: Object.fromEntries(
        DATABASE_OWNERS.map((owner) => [owner, process.env[urlVariable(owner)]]),
      ) as DatabaseUrls,
      logger: createLogger({ name: 'migrate', level: process.env.LOG_LEVEL || 'warn' }),
    });
    for (const [owner, names] of Object.entries(applied)) {
      console.log(`${owner}: ${names.length === 0 ? 'up to date' : names.join(', ')}`);
    }
  } catch (error) {
    console.error(`The migration failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

function urlVariable(owner: string): string {
  return `${owner.toUpperCase().replace('-', '_')}_DATABASE_URL`;
}
