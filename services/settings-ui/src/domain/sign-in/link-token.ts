import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** What a link that lets somebody in holds. Nobody guesses it. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The form in which it is stored: who reads the database can't use it. */
export const linkTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
