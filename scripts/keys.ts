import { join } from 'node:path';
import { ensureIdentityKeys } from './start/identity-keys.ts';

/**
 * The job that gives a system of containers its keys: KEYS_DIRECTORY/<issuer>/<issuer>.json, one directory for each
 * issuer so that each can be mounted alone, and KEYS_DIRECTORY/public/public.json for everybody. KEYS_OWNER (uid:gid)
 * may read the private ones. Keys that are there are left alone.
 */
const directory = process.env.KEYS_DIRECTORY ?? '/keys';
const [uid, gid] = (process.env.KEYS_OWNER ?? '').split(':').map(Number);
const created = await ensureIdentityKeys({
  privateKey: (issuer) => join(directory, issuer, `${issuer}.json`),
  publicKeys: join(directory, 'public', 'public.json'),
  ...(uid && gid ? { owner: { uid, gid } } : {}),
});
console.log(created.length > 0 ? `Created keys for ${created.join(', ')}.` : 'The keys are there.');
