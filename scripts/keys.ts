import { join } from 'node:path';
import { ensureIdentityKeys } from './start/identity-keys.ts';
import { addSecretKey, ensureSecretKeys, SECRET_OWNERS } from './start/secret-keys.ts';

/**
 * The job that gives a system of containers its keys: KEYS_DIRECTORY/<issuer>/<issuer>.json, one directory for each
 * issuer so that each can be mounted alone, secrets.json beside it for who keeps others' secrets, and
 * KEYS_DIRECTORY/public/public.json for everybody. KEYS_OWNER (uid:gid) may read the private ones. Keys that are there
 * are left alone; NEW_SECRET_KEY=<service> puts a new one before those that the service seals secrets with.
 */
const directory = process.env.KEYS_DIRECTORY ?? '/keys';
const [uid, gid] = (process.env.KEYS_OWNER ?? '').split(':').map(Number);
const owner = uid && gid ? { uid, gid } : undefined;
const created: string[] = await ensureIdentityKeys({
  privateKey: (issuer) => join(directory, issuer, `${issuer}.json`),
  publicKeys: join(directory, 'public', 'public.json'),
  ...(owner && { owner }),
});
for (const service of SECRET_OWNERS) {
  const file = join(directory, service, 'secrets.json');
  const isNew = await ensureSecretKeys(file, owner);
  const isWanted = process.env.NEW_SECRET_KEY === service;
  if (isWanted && !isNew) await addSecretKey(file, owner);
  if (isNew || isWanted) created.push(`${service} (secrets)`);
}
console.log(created.length > 0 ? `Created keys for ${created.join(', ')}.` : 'The keys are there.');
