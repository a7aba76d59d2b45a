import { STAFF_COLORS } from '@frontdesk/contracts';
import { colorOf, initialsOf } from './person.rules.ts';

it('colours go round by the id, until one is chosen', () => {
  const ids = Array.from({ length: 2 * STAFF_COLORS.length }, (_, index) => 41 + index);
  const colors = ids.map((id) => colorOf({ id, color: null }));
  expect(new Set(colors.slice(0, STAFF_COLORS.length))).toEqual(new Set(STAFF_COLORS));
  expect(colors.slice(STAFF_COLORS.length)).toEqual(colors.slice(0, STAFF_COLORS.length));
  expect(colorOf({ id: 1, color: 'red' })).toBe('red');
});

it.each([
  ['Anna Berg', 'AB'],
  ['anna maria von berg', 'AB'],
  ['Öykü', 'Ö'],
  ['  𝒜nna   山田 ', '𝒜山'],
  ['', ''],
])('the initials of “%s” are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
