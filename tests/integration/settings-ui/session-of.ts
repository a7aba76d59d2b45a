import { createHash } from 'node:crypto';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { newFormToken } from '../../../services/settings-ui/src/forms/form-token.rules.ts';
import type { StoredSession } from '../../../services/settings-ui/src/session/session.rules.ts';
import { identityKeys } from '../../support/index.ts';
import type { Browser } from './inject-browser.ts';

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** What Redis holds of a session, read and written with the keys of this file. */
export async function storedSession(redis: Redis, token: string, keysFile = identityKeys().secretKeysFile) {
  const key = `settings:session:${hashOf(token)}`;
  const box = createSecretBox(await loadSecretKeys(keysFile));
  const session = JSON.parse(box.open((await redis.get(key)) ?? '', key)) as StoredSession;
  return {
    key,
    session,
    replace: (other: StoredSession) => redis.set(key, box.seal(JSON.stringify(other), key), 'KEEPTTL'),
  };
}

/** A browser's session, with what the tokens of its forms are made from. */
export async function sessionOf(redis: Redis, { jar }: Browser) {
  const token = jar.get('frontdesk') ?? '';
  const { csrfSecret } = (await storedSession(redis, token)).session;
  return { token, csrfSecret };
}

/** The token of a page that was drawn so long ago. */
export const tokenFrom = async (redis: Redis, browser: Browser, agoMs: number) =>
  newFormToken((await sessionOf(redis, browser)).csrfSecret, Date.now() - agoMs);

/** The password was last shown so long ago. */
export async function confirmedAgo(redis: Redis, { jar }: Browser, minutes: number): Promise<void> {
  const { session, replace } = await storedSession(redis, jar.get('frontdesk') ?? '');
  await replace({ ...session, confirmedAt: Date.now() - minutes * 60_000 });
}
