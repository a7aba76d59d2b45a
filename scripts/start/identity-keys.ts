import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createIdentityKeys } from '@frontdesk/service';
import type { EnginePasswordFiles } from './engine-passwords.ts';
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
): KeyFiles & EnginePasswordFiles & { secretKeys(owner: Issuer): string } {
  return {
    privateKey: (issuer) => join(directory, `${issuer}.json`),
    publicKeys: join(directory, 'public.json'),
    secretKeys: (owner) => join(directory, `${owner}.secrets.json`),
    servicePasswords: (service) => join(directory, `${service}.engines.json`),
    administratorPassword: (engine) => join(directory, `${engine}.administrator`),
  };
}

/**
 * Creates the keys that are missing, for issuers that a later release adds too; keys that are there stay as they are.
 * @returns the issuers whose key is new.
 */
export async function ensureIdentityKeys(files: KeyFiles): Promise<Issuer[]> {
  const fresh = await createIdentityKeys();
  const created: Issuer[] = [];
  const keys = await Promise.all(
    (Object.keys(fresh.privateKeys) as Issuer[]).map(async (issuer) => {
      const present = await readJson<PrivateKey>(files.privateKey(issuer), CURE);
      if (present) return [issuer, present] as const;
      const privateKey = fresh.privateKeys[issuer] as PrivateKey;
      await writeJson(files.privateKey(issuer), privateKey, { mode: 0o600, owner: files.owner });
      created.push(issuer);
      return [issuer, privateKey] as const;
    }),
  );
  const publicKeys = Object.fromEntries(keys.map(([issuer, { d: _private, ...rest }]) => [issuer, rest]));
  const text = jsonText(publicKeys);
  if ((await readText(files.publicKeys)) !== text) await writeText(files.publicKeys, text, { mode: 0o644 });
  return created;
}
