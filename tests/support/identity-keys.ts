import { join } from 'node:path';
import type { Issuer } from '@frontdesk/contracts';
import { createIdentitySigner, type IdentitySigner } from '@frontdesk/service';
import { fromSetUp } from './from-set-up.ts';

/** The identity keys of this run: one pair for each issuer. */
export function identityKeys(): {
  publicKeysFile: string;
  privateKeyFile: (issuer: Issuer) => string;
  /** What a service seals others' secrets with. */
  secretKeysFile: string;
  signer: (issuer: Issuer) => Promise<IdentitySigner>;
} {
  const folder = fromSetUp('TEST_IDENTITY_KEYS');
  const privateKeyFile = (issuer: Issuer) => join(folder, `${issuer}.json`);
  return {
    publicKeysFile: join(folder, 'public.json'),
    privateKeyFile,
    secretKeysFile: join(folder, 'secrets.json'),
    signer: (issuer) => createIdentitySigner({ issuer, privateKeyFile: privateKeyFile(issuer) }),
  };
}
