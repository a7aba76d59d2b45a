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
  /** Passwords that this role may still have instead. */
  earlierPasswords?: readonly string[];
  /** With the passwords that the services' roles have from now on. */
  urls: DatabaseUrls;
  /** Told of each migration as it begins. */
  onBegin?: (owner: DatabaseOwner, name: string) => void;
  /** Told what a migration keeps others from, or waits for. */
  onLock?: (owner: DatabaseOwner, name: string, what: string) => void;
  /** Told of each database as soon as it is up to date. */
  onMigrated?: (owner: DatabaseOwner) => void;
  logger: Logger;
}): Promise<Record<DatabaseOwner, string[]>> {
  const { adminUrl, earlierPasswords, urls, onBegin, onLock, onMigrated, logger } = options;
  const accounts = DATABASE_OWNERS.map((owner) => ownerOf(urls[owner]));
  const migrateEach = async () => {
    const applied = await Promise.all(
      DATABASE_OWNERS.map(async (owner) => {
        const migrations = await migrationsOf(owner);
        const names = await migrate({
          url: urls[owner],
          migrations,
          onBegin: (name) => onBegin?.(owner, name),
          onLock: (name, what) => onLock?.(owner, name, what),
          logger,
        });
        onMigrated?.(owner);
        return [owner, names] as const;
      }),
    );
    return Object.fromEntries(applied) as Record<DatabaseOwner, string[]>;
  };
  return await withDatabases(adminUrl, accounts, migrateEach, earlierPasswords);
}
