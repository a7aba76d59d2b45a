import { join } from 'node:path';
import { type Audience, ISSUER_ROLES, type Issuer } from '@frontdesk/contracts';
import { createIdentityKeys } from '@frontdesk/service';
import type { EnginePasswordFiles } from '../engines/engine-passwords.ts';
import { type FileOwner, jsonText, readJson, readText, writeJson, writeText } from './json-file.ts';

type PrivateKeys = Awaited<ReturnType<typeof createIdentityKeys>>['privateKeys'];
type PrivateKey = PrivateKeys[Issuer];

const CURE = 'put back a copy of it, or delete it, and the next start makes a new pair of keys';

/** Where the keys of a system lie: a private one for each issuer, and the public ones together for everybody. */
export interface KeyFiles {
  privateKey(issuer: Issuer): string;
  publicKeys: string;
  /** Who may read a private key besides root; by default the user who writes it. */
  owner?: FileOwner;
}

/** The layout of one machine: all files in one directory. */
export function keyFilesIn(
  directory: string,
): KeyFiles & EnginePasswordFiles & { secretKeys(owner: Audience): string } {
  return {
    privateKey: (issuer) => join(directory, `${issuer}.json`),
    publicKeys: join(directory, 'public.json'),
    secretKeys: (owner) => join(directory, `${owner}.secrets.json`),
    servicePasswords: (service) => join(directory, `${service}.engines.json`),
    administratorPassword: (engine) => join(directory, `${engine}.administrator`),
  };
}

/** Beside an issuer's private key while it is replaced: the pair that everybody shall know before it signs. */
export const nextKeyFile = (privateKey: string) => beside(privateKey, 'next');
/** The public key that signed before, until nobody needs it any more. */
export const previousKeyFile = (privateKey: string) => beside(privateKey, 'previous');

const beside = (file: string, suffix: string) => file.replace(/\.json$/, `.${suffix}.json`);

export const readKey = (file: string) => readJson<PrivateKey>(file, CURE);

export function publicPartOf({ d: _private, ...publicKey }: PrivateKey): PrivateKey {
  return publicKey as PrivateKey;
}

/**
 * Creates the keys that are missing, for issuers that a later release adds too; keys that are there stay as they are.
 * @returns the issuers whose key is new.
 */
export async function ensureIdentityKeys(files: KeyFiles): Promise<Issuer[]> {
  const fresh = await createIdentityKeys();
  const created: Issuer[] = [];
  for (const issuer of Object.keys(fresh.privateKeys) as Issuer[]) {
    const file = files.privateKey(issuer);
    if (await readKey(file)) continue;
    await writeJson(file, fresh.privateKeys[issuer], { mode: 0o600, owner: files.owner });
    created.push(issuer);
  }
  await publishIdentityKeys(files);
  return created;
}

/** Writes the file for everybody: each issuer's public key, or a list of them while its key is being replaced. */
export async function publishIdentityKeys(files: KeyFiles): Promise<void> {
  const published: Record<string, PrivateKey | PrivateKey[]> = {};
  for (const issuer of Object.keys(ISSUER_ROLES) as Issuer[]) {
    const file = files.privateKey(issuer);
    const found = await Promise.all([file, nextKeyFile(file), previousKeyFile(file)].map(readKey));
    const keys = found.filter((key) => key !== undefined).map(publicPartOf);
    // After a run that was killed half way, the next key is the current one already.
    const different = keys.filter(({ x }, index) => keys.findIndex((key) => key.x === x) === index);
    const [only] = different;
    if (only) published[issuer] = different.length === 1 ? only : different;
  }
  const text = jsonText(published);
  if ((await readText(files.publicKeys)) !== text) await writeText(files.publicKeys, text, { mode: 0o644 });
}
