import { ingestPath } from '@frontdesk/contracts';
import { isSourceToken, loggedPath } from './ingest-address.rules.ts';

it('a token is 16 to 128 letters and digits', () => {
  expect(['a1'.repeat(8), 'Z'.repeat(128)].every(isSourceToken)).toBe(true);
  expect(
    ['', 'a'.repeat(15), 'a'.repeat(129), `${'a'.repeat(16)}-`, '%2e'.repeat(9)].some(isSourceToken),
  ).toBe(false);
});

it('a logged path holds no token', () => {
  expect(loggedPath(ingestPath('secret'))).toBe(ingestPath('…'));
  expect(loggedPath(ingestPath('secret/typo'))).toBe(ingestPath('…/typo'));
  expect(loggedPath('/api/v1/calls')).toBe('/api/v1/calls');
});

it.each([
  ['/api/v1/customers/7', '/api/v1/customers/7'],
  ['/api/v1/customers/+4915112345678', '/api/v1/customers/…'],
  ['/api/v1/calls/4915112345678/x', '/api/v1/calls/…/x'],
  ['/api/v1/fd_live_0123456789abcdefghijklmnopqrstuvwxyz01', '/api/v1/…'],
])('%s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});
