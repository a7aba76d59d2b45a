import { migrate } from '@frontdesk/database';
import type { Logger } from '@frontdesk/service';
import {
  DATABASE_OWNERS,
  type DatabaseOwner,
  type DatabaseUrls,
  migrationsOf,
  ownerOf,
} from './databases.ts';
import { withDatabases } from './ensure-databases.ts';

/**
 * Brings every database up to this release: created where missing, then migrated as its own role. Safe to repeat and
 * to run twice at once. @returns the names of the migrations that ran, by service.
 */
export async function migrateAll(options: {
  /** A role that may create roles and databases. */
  adminUrl: string;
  urls: DatabaseUrls;
  logger: Logger;
}): Promise<Record<DatabaseOwner, string[]>> {
  const { adminUrl, urls, logger } = options;
  const accounts = DATABASE_OWNERS.map((owner) => ownerOf(urls[owner]));
  return await withDatabases(adminUrl, accounts, async () => {
    const applied = await Promise.all(
      DATABASE_OWNERS.map(async (owner) => {
        const migrations = await migrationsOf(owner);
        return [owner, await migrate({ url: urls[owner], migrations, logger })] as const;
      }),
    );
    return Object.fromEntries(applied) as Record<DatabaseOwner, string[]>;
  });
}
