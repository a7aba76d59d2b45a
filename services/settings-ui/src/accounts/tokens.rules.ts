import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** The secret of a link or a cookie that lets somebody in: too long to be guessed. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What the database and Redis hold of a token: their readers can open nothing with it. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
