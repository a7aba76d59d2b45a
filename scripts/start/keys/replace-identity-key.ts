import { rename, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { ISSUER_ROLES, type Issuer } from '@frontdesk/contracts';
import { createIdentityKeys } from '@frontdesk/service';
import {
  type KeyFiles,
  nextKeyFile,
  previousKeyFile,
  publicPartOf,
  publishIdentityKeys,
  readKey,
} from './identity-keys.ts';
import { writeJson } from './json-file.ts';

/** Processes look for new keys every second, when they need one; what was on its way by the old ones has arrived by then, too. */
const KNOWN_AFTER_MS = 5_000;

/**
 * The three steps that replace an issuer's key while everything runs. NEW_IDENTITY_KEY=<issuer> makes a pair and gives everybody its
 * public key; SIGNING_IDENTITY_KEY has the issuer sign by it, once all processes had time to read it; END_IDENTITY_KEY takes the earlier
 * public key away. A step that was cut short is given again, and one too many changes nothing.
 * @returns lines for the operator
 * @throws Error for a step whose turn it is not
 */
export async function replaceIdentityKey(
  files: KeyFiles,
  env: { NEW_IDENTITY_KEY?: string; SIGNING_IDENTITY_KEY?: string; END_IDENTITY_KEY?: string },
  { knownAfterMs = KNOWN_AFTER_MS } = {},
): Promise<string[]> {
  const { NEW_IDENTITY_KEY: added, SIGNING_IDENTITY_KEY: signing, END_IDENTITY_KEY: ended } = env;
  const lines: string[] = [];
  if (added) lines.push(await addKey(issuerNamed(added), files));
  if (signing) lines.push(await signByNext(issuerNamed(signing), files, knownAfterMs));
  if (ended) lines.push(await endPrevious(issuerNamed(ended), files, knownAfterMs));
  return lines;
}

async function addKey(issuer: Issuer, files: KeyFiles): Promise<string> {
  const file = files.privateKey(issuer);
  if (!(await readKey(nextKeyFile(file)))) {
    if (await readKey(previousKeyFile(file)))
      throw new Error(`${issuer} signs by a new key: run keys with END_IDENTITY_KEY=${issuer} first.`);
    const { privateKeys } = await createIdentityKeys();
    await writeJson(nextKeyFile(file), privateKeys[issuer], { mode: 0o600, owner: files.owner });
  }
  await publishIdentityKeys(files);
  return `The new public key of ${issuer} is published.`;
}

async function signByNext(issuer: Issuer, files: KeyFiles, knownAfterMs: number): Promise<string> {
  const file = files.privateKey(issuer);
  const [current, next] = await Promise.all([readKey(file), readKey(nextKeyFile(file))]);
  if (!next) {
    if (await readKey(previousKeyFile(file))) return `${issuer} signs by its new key already.`;
    throw new Error(`${issuer} has no new key: run keys with NEW_IDENTITY_KEY=${issuer} first.`);
  }
  if (current && current.x !== next.x) {
    await publishIdentityKeys(files);
    await sinceChangeOf(files.publicKeys, knownAfterMs);
    await writeJson(previousKeyFile(file), publicPartOf(current), { mode: 0o600, owner: files.owner });
  }
  await rename(nextKeyFile(file), file);
  // Another run may have read the files while they changed.
  await publishIdentityKeys(files);
  return `${issuer} signs by its new key.`;
}

async function endPrevious(issuer: Issuer, files: KeyFiles, knownAfterMs: number): Promise<string> {
  const file = files.privateKey(issuer);
  if (await readKey(nextKeyFile(file)))
    throw new Error(
      `${issuer} signs by its earlier key: run keys with SIGNING_IDENTITY_KEY=${issuer} first.`,
    );
  await sinceChangeOf(previousKeyFile(file), knownAfterMs);
  await rm(previousKeyFile(file), { force: true });
  await publishIdentityKeys(files);
  return `The earlier key of ${issuer} counts no more.`;
}

/** Waits until what was written last has been there for so long. */
async function sinceChangeOf(file: string, forMs: number): Promise<void> {
  const changed = await stat(file).catch(() => undefined);
  if (!changed) return;
  const rest = forMs - (Date.now() - changed.mtimeMs);
  if (rest > 0) await setTimeout(Math.min(rest, forMs));
}

function issuerNamed(name: string): Issuer {
  if (Object.hasOwn(ISSUER_ROLES, name)) return name as Issuer;
  throw new Error(`There is no issuer "${name}": one of ${Object.keys(ISSUER_ROLES).join(', ')}.`);
}
