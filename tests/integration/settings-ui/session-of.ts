import { createHash } from 'node:crypto';
import { createSecretBox, loadSecretKeys } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { newFormToken } from '../../../services/settings-ui/src/forms/form-token.rules.ts';
import { identityKeys } from '../../support/index.ts';
import type { Browser } from './inject-browser.ts';

export const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A browser's session, with what the tokens of its forms are made from. */
export async function sessionOf(redis: Redis, { jar }: Browser) {
  const token = jar.get('frontdesk') ?? '';
  const key = `settings:session:${hashOf(token)}`;
  const box = createSecretBox(await loadSecretKeys(identityKeys().secretKeysFile));
  const { csrfSecret } = JSON.parse(box.open((await redis.get(key)) ?? '', key)) as { csrfSecret: string };
  return { token, csrfSecret };
}

/** The token of a page that was drawn so long ago. */
export const tokenFrom = async (redis: Redis, browser: Browser, agoMs: number) =>
  newFormToken((await sessionOf(redis, browser)).csrfSecret, Date.now() - agoMs);
