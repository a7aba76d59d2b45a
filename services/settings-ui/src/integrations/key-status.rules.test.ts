import { isValid, keyStatus } from './key-status.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const BEFORE = '2026-06-01T12:00:00Z';
const AFTER = '2026-06-01T12:00:01Z';
const KEY = { is_active: true, expires_at: null, rolled_to: null };

it.each([
  [{}, 'active', true],
  [{ expires_at: AFTER }, 'expiring', true],
  [{ expires_at: BEFORE }, 'expired', false],
  [{ rolled_to: 7, expires_at: AFTER }, 'replaced', true],
  [{ rolled_to: 7, expires_at: BEFORE }, 'replaced', false],
  [{ is_active: false, rolled_to: 7, expires_at: AFTER }, 'revoked', false],
] as const)('a key with %j is %s', (bounds, status, good) => {
  const key = { ...KEY, ...bounds };
  expect([keyStatus(key, NOW), isValid(key, NOW)]).toEqual([status, good]);
});
