import { pathOf, queryOf } from './request-target.ts';

it('a target is its path and what follows the first question mark', () => {
  expect([pathOf('/a?b=?c'), queryOf('/a?b=?c')]).toEqual(['/a', 'b=?c']);
  expect([pathOf('/a'), queryOf('/a')]).toEqual(['/a', '']);
});
