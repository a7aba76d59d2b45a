import { randomBytes } from 'node:crypto';
import type { SecretKeysFile } from '@frontdesk/service';
import { type FileOwner, readJson, writeJson } from './json-file.ts';

const KEY_BYTES = 32;
const CURE =
  'put back a copy of it. Without one, delete it: the next start makes a new key, and what the old one sealed needs new secrets (docs/operations.md, Sealing keys)';

/** The services that seal secrets, each with its own keys. */
export const SECRET_OWNERS = ['calls', 'webhooks', 'settings-ui'] as const;

/**
 * Creates a file with one key where there is none; one that is there stays as it is, or nothing that its keys have
 * sealed could be opened again. @returns whether it is new.
 */
export async function ensureSecretKeys(file: string, owner?: FileOwner): Promise<boolean> {
  if (await readJson(file, CURE)) return false;
  await write(file, { keys: [newKey()] }, owner);
  return true;
}

/**
 * Puts a new key behind the others: from the next start of the service on it opens, and seals nothing before `sealBy`.
 * @returns its id
 */
export async function addSecretKey(file: string, owner?: FileOwner): Promise<string> {
  const added = newKey();
  await write(file, { keys: [...(await keysOf(file)), added] }, owner);
  return added.id;
}

/** Puts a key before the others: it seals from the next start of the service on. @returns whether the file has it */
export async function sealBy(file: string, id: string, owner?: FileOwner): Promise<boolean> {
  const keys = await keysOf(file);
  const sealing = keys.find((key) => key.id === id);
  if (!sealing) return false;
  await write(file, { keys: [sealing, ...keys.filter((key) => key !== sealing)] }, owner);
  return true;
}

const keysOf = async (file: string) => (await readJson<SecretKeysFile>(file, CURE))?.keys ?? [];

const write = (file: string, content: SecretKeysFile, owner: FileOwner | undefined) =>
  writeJson(file, content, { mode: 0o600, owner });

/** Its id shows when it was made. */
function newKey(): SecretKeysFile['keys'][number] {
  const day = Temporal.Now.plainDateISO('UTC').toString();
  return {
    id: `${day}-${randomBytes(3).toString('hex')}`,
    key: randomBytes(KEY_BYTES).toString('base64'),
  };
}
