import type { ApiKey } from '@frontdesk/contracts';

/** `ending`: good until a time that is known; `replaced`: another key has taken its place, whether it is good still or not. */
type KeyStatus = 'active' | 'ending' | 'expired' | 'replaced' | 'revoked';

type Bounds = Pick<ApiKey, 'is_active' | 'expires_at' | 'rolled_to'>;

const isOver = ({ expires_at }: Pick<ApiKey, 'expires_at'>, nowMs: number) =>
  expires_at !== null && Date.parse(expires_at) <= nowMs;

export function keyStatus(key: Bounds, nowMs: number): KeyStatus {
  if (!key.is_active) return 'revoked';
  if (key.rolled_to !== null) return 'replaced';
  if (isOver(key, nowMs)) return 'expired';
  return key.expires_at === null ? 'active' : 'ending';
}

/** Whether requests with it are answered. */
export const isGood = (key: Bounds, nowMs: number): boolean => key.is_active && !isOver(key, nowMs);

/** A key as people tell it from others. */
export const keyLabel = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>): string =>
  `${name} (…${last_four})`;
