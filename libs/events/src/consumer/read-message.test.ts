import { instantOf } from './read-message.ts';

it.each(['-1', '0000-01-01T00:00:00Z', '99999999999999999999', '2999-01-01T00:00:00Z', 'never', ''])(
  'a message that says it is of %j is of a time between 1970 and now',
  (text) => {
    const instant = instantOf(text).getTime();
    expect(instant).toBeGreaterThanOrEqual(0);
    expect(instant).toBeLessThanOrEqual(Date.now());
  },
);

it('an instant stays what it is, as text and in milliseconds', () => {
  const text = '2026-03-02T10:00:00.000Z';
  expect(instantOf(text).toISOString()).toBe(text);
  expect(instantOf(String(Date.parse(text))).toISOString()).toBe(text);
});
