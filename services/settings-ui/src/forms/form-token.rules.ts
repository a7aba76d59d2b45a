import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { FORM_LIVES_HOURS } from '@frontdesk/contracts';

export const FORM_LIVES_MS = FORM_LIVES_HOURS * 3_600_000;

const NONCE_BYTES = 12;
const SEAL_CHARACTERS = 43;
const TIMED = /^f1\.([0-9a-z]{1,9})\.([\w-]{16})\.([\w-]{43})$/;

const sealOf = (secret: string, time: string, nonce: string) =>
  createHmac('sha256', secret).update(`form ${time} ${nonce}`).digest('base64url');

/** The token of a page that is drawn now: its time, under the seal of the session's secret. */
export function newFormToken(secret: string, nowMs: number): string {
  const time = nowMs.toString(36);
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `f1.${time}.${nonce}.${sealOf(secret, time, nonce)}`;
}

/**
 * When the page of a token was drawn; null for a token without a time, as 0.1.0 makes them; 0, so long ago, for one
 * that is not of this session.
 */
export function drawnAtMs(secret: string, token: string): number | null {
  if (!token.startsWith('f1.')) return null;
  const [, time = '', nonce = '', seal = ''] = TIMED.exec(token) ?? [];
  const isOurs = timingSafeEqual(Buffer.from(sealOf(secret, time, nonce)), asSeal(seal));
  return isOurs ? Number.parseInt(time, 36) : 0;
}

/**
 * The text of a seal, for it is compared as it was given out: its last character has bits that stand for nothing, and with others there a
 * used token would be another one. What is no seal is as long: only what is equally long can be compared.
 */
const asSeal = (seal: string): Buffer => Buffer.from(seal.padEnd(SEAL_CHARACTERS, '-'));
