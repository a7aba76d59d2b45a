import { createHash, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_TOLERANCE_MINUTES } from '@frontdesk/contracts';

const TOLERANCE_MS = SIGNATURE_TOLERANCE_MINUTES * 60_000;

/** Takes the same time wherever they differ; both are hashed first, so that lengths may differ too. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** @param milliseconds since 1970 */
export const isFresh = (milliseconds: number, now: Date) =>
  Math.abs(now.getTime() - milliseconds) <= TOLERANCE_MS;
