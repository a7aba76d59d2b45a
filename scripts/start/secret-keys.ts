import { randomBytes } from 'node:crypto';
import type { SecretKeysFile } from '@frontdesk/service';
import { readJson, writeJson } from './json-file.ts';

const KEY_BYTES = 32;

/** The services that keep others' secrets, each sealed with keys of its own. */
export const SECRET_OWNERS = ['calls', 'webhooks'] as const;

/** Who may read a file besides root; by default whoever writes it. */
type Owner = { uid: number; gid: number } | undefined;

/**
 * Creates a file with one key where there is none; one that is there stays as it is, or nothing that its keys have
 * sealed could be opened again. @returns whether it is new.
 */
export async function ensureSecretKeys(file: string, owner?: Owner): Promise<boolean> {
  if (await readJson(file)) return false;
  await write(file, { keys: [newKey()] }, owner);
  return true;
}

/** Puts a new key before the others: it seals from the next start of the service on, and they still open. */
export async function addSecretKey(file: string, owner?: Owner): Promise<void> {
  const { keys } = (await readJson<SecretKeysFile>(file)) ?? { keys: [] };
  await write(file, { keys: [newKey(), ...keys] }, owner);
}

const write = (file: string, content: SecretKeysFile, owner: Owner) =>
  writeJson(file, content, { mode: 0o600, owner });

/** Its id tells when it was made. */
function newKey(): SecretKeysFile['keys'][number] {
  const day = Temporal.Now.plainDateISO('UTC').toString();
  return {
    id: `${day}-${randomBytes(3).toString('hex')}`,
    key: randomBytes(KEY_BYTES).toString('base64'),
  };
}
