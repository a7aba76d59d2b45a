import { type ExpiringKey, KEY_EXPIRES_WITHIN_DAYS } from '@frontdesk/contracts';

const DAY_MS = 86_400_000;
const WEEK_MS = KEY_EXPIRES_WITHIN_DAYS * DAY_MS;

export type KeyNotice = 'week' | 'day';

/** The reminder that is due. None where the key was made for less than that. */
export function noticeDue(
  { created_at, expires_at }: Pick<ExpiringKey, 'created_at' | 'expires_at'>,
  nowMs: number,
): KeyNotice | null {
  const endMs = Date.parse(expires_at);
  const [leftMs, lifeMs] = [endMs - nowMs, endMs - Date.parse(created_at)];
  if (leftMs <= 0) return null;
  if (leftMs <= DAY_MS) return lifeMs > DAY_MS ? 'day' : null;
  return leftMs <= WEEK_MS && lifeMs > WEEK_MS ? 'week' : null;
}
