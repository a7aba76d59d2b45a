import { matchesTag } from './entity-tags.rules.ts';

it.each(['"3"', 'W/"3"', '"1", "3"', '"a,b",W/"3"', '*', ' * '])(
  '%s matches "3" and its weak form',
  (sent) => {
    expect([matchesTag(sent, '"3"'), matchesTag(sent, 'W/"3"')]).toEqual([true, true]);
  },
);

it.each(['"4"', '3', '', 'W/3', '"33"', undefined])('%s does not', (sent) => {
  expect(matchesTag(sent, '"3"')).toBe(false);
});

it('without a tag there is nothing to match', () => {
  expect(matchesTag('*', undefined)).toBe(false);
});
