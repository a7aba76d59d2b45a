import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The secret of a link that lets an admin in: too long to be guessed. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The database stores this hash: a token that is read there opens nothing. */
export const linkTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
