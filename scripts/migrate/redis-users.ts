import { join } from 'node:path';
import { setUsers } from '@frontdesk/redis';
import { previousFile } from '../start/engines/engine-passwords.ts';
import { readText } from '../start/keys/json-file.ts';
import { withPassword } from './connect-as-administrator.ts';

/** Brings the users of a running Redis to what users.acl in REDIS_USERS_DIRECTORY says: another release's, or new passwords. */
export async function migrateRedisUsers(env: {
  REDIS_ADMIN_URL?: string;
  REDIS_USERS_DIRECTORY?: string;
}): Promise<void> {
  const { REDIS_ADMIN_URL: adminUrl, REDIS_USERS_DIRECTORY: directory } = env;
  if (!adminUrl || !directory) return;
  const administrator = join(directory, 'administrator');
  const passwords = await Promise.all([administrator, previousFile(administrator)].map(readText));
  const users = (await readText(join(directory, 'users.acl'))) ?? '';
  const [first, ...others] = passwords.filter((password) => password !== undefined);
  if (!first || !users) throw new Error(`REDIS_USERS_DIRECTORY: ${directory} has no users.`);
  let attempt = setUsers(withPassword(adminUrl, first), users);
  for (const other of others) attempt = attempt.catch(() => setUsers(withPassword(adminUrl, other), users));
  await attempt;
}
