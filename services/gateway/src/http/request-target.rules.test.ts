import { originForm, pathOf, queryOf, withoutLastSlashes } from './request-target.rules.ts';

it('a target is its path and what follows the first question mark', () => {
  expect([pathOf('/a?b=?c'), queryOf('/a?b=?c')]).toEqual(['/a', 'b=?c']);
  expect([pathOf('/a'), queryOf('/a')]).toEqual(['/a', '']);
});

it.each([
  ['/api/v1/customers?page=2', '/api/v1/customers?page=2'],
  ['http://host/api/v1/staff', '/api/v1/staff'],
  ['HTTPS://host:1?page=2', '/?page=2'],
  ['*', '/*'],
  ['/a#b?c=d', '/a'],
  ['/a?b=c#d', '/a?b=c'],
  ['http://host#d', '/'],
  ['/a/%zz', '/a/%25zz'],
  ['/a/%', '/a/%25'],
  // No UTF-8.
  ['/a/%ff%41', '/a/%25ff%2541'],
  ['/a/%C3%A4?b=%zz', '/a/%C3%A4?b=%zz'],
])('%s is routed as %s', (target, path) => {
  expect(originForm(target)).toBe(path);
});

it('a path loses the slashes at its end, and only those', () => {
  expect(['/a//b//', '/', '/a'].map(withoutLastSlashes)).toEqual(['/a//b', '', '/a']);
  // In one pass: what takes the square of their number would not end here.
  const many = `${'/'.repeat(1_000_000)}x`;
  expect(withoutLastSlashes(`${many}/`)).toBe(many);
});
