import { createKnownSources } from './known-sources.ts';

it.each([202, 401, 403, 429])('a source is known once calls has answered %i', (status) => {
  const known = createKnownSources();
  expect(known.has('a')).toBe(false);
  known.learn('a', status);
  expect([known.has('a'), known.has('b')]).toEqual([true, false]);
});

it.each([404, 413, 500, 503])('%i makes no source known', (status) => {
  const known = createKnownSources();
  known.learn('a', status);
  expect(known.has('a')).toBe(false);
});

it('a source is forgotten when it is gone, and for nothing else', () => {
  const known = createKnownSources();
  known.learn('a', 202);
  known.learn('a', 503);
  expect(known.has('a')).toBe(true);
  known.learn('a', 404);
  expect(known.has('a')).toBe(false);
});
