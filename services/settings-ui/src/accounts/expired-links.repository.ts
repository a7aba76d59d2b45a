import { type SystemScope, systemSql } from '@frontdesk/database';

const BATCH = 1_000;

const purgeOf = (table: 'account_links' | 'invitation_links') =>
  systemSql<never>(
    `${table}_purge`,
    `delete from ${table} where token_hash in (
       select token_hash from ${table} where expires_at <= now() limit ${BATCH} for update skip locked)`,
  );

const PURGES = [purgeOf('account_links'), purgeOf('invitation_links')];

/** Removes a batch of links of each kind that have expired, also of invitations that go on. @returns whether there may be more */
export async function purgeExpiredLinks(system: SystemScope): Promise<boolean> {
  const removed: number[] = [];
  for (const purge of PURGES) removed.push(await system.run(purge));
  return removed.includes(BATCH);
}
