import { join } from 'node:path';
import type { Engine } from '@frontdesk/service';
import { engineAccess, ensureEnginePasswords, postgresPasswords } from './start/engines/engine-passwords.ts';
import { writeKafkaUsers } from './start/engines/kafka-user-files.ts';
import { redisUsersFile } from './start/engines/redis-rights.ts';
import { replaceEnginePasswords } from './start/engines/replace-passwords.ts';
import { ensureIdentityKeys, type KeyFiles } from './start/keys/identity-keys.ts';
import { writeJson, writeText } from './start/keys/json-file.ts';
import { replaceIdentityKey } from './start/keys/replace-identity-key.ts';
import { addSecretKey, ensureSecretKeys, SECRET_OWNERS, sealBy } from './start/keys/secret-keys.ts';

/**
 * The job that gives a system of containers its keys: KEYS_DIRECTORY/<issuer>/<issuer>.json, one directory for each
 * issuer so that each can be mounted alone, secrets.json beside it for services that seal secrets, engines.json for those
 * with engines, and KEYS_DIRECTORY/public/public.json for everybody. KEYS_OWNER (uid:gid) may read the private ones, and
 * each engine KEYS_DIRECTORY/<engine>/administrator. What is there is left alone, but for passwords that
 * NEW_ENGINE_PASSWORDS or END_ENGINE_PASSWORDS names (see replace-passwords.ts), and for an issuer's pair that NEW_IDENTITY_KEY,
 * SIGNING_IDENTITY_KEY or END_IDENTITY_KEY names (see replace-identity-key.ts); NEW_SECRET_KEY=<service> adds a new one after the
 * service's others, and SEALING_SECRET_KEY=<id> puts it before them: it seals then.
 */
const directory = process.env.KEYS_DIRECTORY ?? '/keys';
const [uid, gid] = (process.env.KEYS_OWNER ?? '').split(':').map(Number);
const owner = uid && gid ? { uid, gid } : undefined;
/** The users whom the engines' official images run as. */
const ENGINE_UIDS: Readonly<Record<Engine, number>> = { postgres: 999, redis: 999, kafka: 1000 };
const identityKeyFiles: KeyFiles = {
  privateKey: (issuer) => join(directory, issuer, `${issuer}.json`),
  publicKeys: join(directory, 'public', 'public.json'),
  ...(owner && { owner }),
};
const created: string[] = await ensureIdentityKeys(identityKeyFiles);
for (const line of await replaceIdentityKey(identityKeyFiles, process.env)) console.log(line);
const engineOwner = (engine: Engine) => owner && { uid: ENGINE_UIDS[engine], gid: owner.gid };
const passwordFiles = {
  servicePasswords: (service: string) => join(directory, service, 'engines.json'),
  administratorPassword: (engine: Engine) => join(directory, engine, 'administrator'),
  owner,
  administratorOwner: engineOwner,
};
const passwords = await ensureEnginePasswords(passwordFiles);
created.push(...passwords.map((whose) => `${whose} passwords`));
const notice = await replaceEnginePasswords(passwordFiles, process.env);
if (notice) console.log(notice);
// What the migrate job gives to PostgreSQL, Redis reads at its start, and the job kafka-users gives to Kafka. Each run writes them:
// one before this may have been killed.
await writeJson(join(directory, 'postgres', 'users.json'), await postgresPasswords(passwordFiles), {
  mode: 0o600,
  owner,
});
const usersOfRedis = await redisUsersFile(passwordFiles);
await writeText(join(directory, 'redis', 'users.acl'), usersOfRedis, engineAccess('redis', passwordFiles));
await writeKafkaUsers(join(directory, 'kafka', 'users'), passwordFiles, engineOwner('kafka'));
const sealing = process.env.SEALING_SECRET_KEY;
let isFound = false;
for (const service of SECRET_OWNERS) {
  const file = join(directory, service, 'secrets.json');
  const isNew = await ensureSecretKeys(file, owner);
  if (isNew) created.push(`${service} (secrets)`);
  else if (process.env.NEW_SECRET_KEY === service)
    created.push(`${service} (secrets: ${await addSecretKey(file, owner)})`);
  if (sealing && (await sealBy(file, sealing, owner))) {
    isFound = true;
    console.log(`${service} seals by ${sealing} from its next start on.`);
  }
}
if (sealing && !isFound) throw new Error(`No file has a key with the id ${sealing}.`);
console.log(created.length > 0 ? `Created keys for ${created.join(', ')}.` : 'The keys are there.');
