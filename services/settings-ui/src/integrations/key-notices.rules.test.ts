import { noticeDue } from './key-notices.rules.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const at = (days: number) => new Date(NOW + days * DAY_MS).toISOString();

it.each([
  ['eight days before', -30, 8, null],
  ['a week before', -30, 7, 'week'],
  ['two days before', -30, 2, 'week'],
  ['a day before', -30, 1, 'day'],
  ['once it has expired', -30, 0, null],
  ['made for five days, with two left', -3, 2, null],
  ['made for five days, with one left', -4, 1, 'day'],
  ['made for an hour', 0, 1 / 24, null],
] as const)('%s: %d days old, %d days left, %s', (_when, made, left, notice) => {
  expect(noticeDue({ created_at: at(made), expires_at: at(left) }, NOW)).toBe(notice);
});
