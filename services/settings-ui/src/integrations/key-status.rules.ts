import type { ApiKey } from '@frontdesk/contracts';

/** `expiring`: it works until a known time; `replaced`: another key has taken its place, whether it is good still or not. */
type KeyStatus = 'active' | 'expiring' | 'expired' | 'replaced' | 'revoked';

type KeyState = Pick<ApiKey, 'is_active' | 'expires_at' | 'rolled_to'>;

const isOver = ({ expires_at }: Pick<ApiKey, 'expires_at'>, nowMs: number) =>
  expires_at !== null && Date.parse(expires_at) <= nowMs;

export function keyStatus(key: KeyState, nowMs: number): KeyStatus {
  if (!key.is_active) return 'revoked';
  if (key.rolled_to !== null) return 'replaced';
  if (isOver(key, nowMs)) return 'expired';
  return key.expires_at === null ? 'active' : 'expiring';
}

/** Whether requests with it are answered. */
export const isValid = (key: KeyState, nowMs: number): boolean => key.is_active && !isOver(key, nowMs);

/** A key as people tell it from others. */
export const keyLabel = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>): string =>
  `${name} (…${last_four})`;
