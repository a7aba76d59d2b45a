import { byCategory, categoriesOf } from './categories.rules.ts';

const service = (name: string, category?: string | null) => ({ name, category });
const groupsOf = (services: ReturnType<typeof service>[]) =>
  byCategory(services).map((group) => [group.heading, group.services.map(({ name }) => name).join(' ')]);

it('services without a category come last, and their order stays within each', () => {
  const services = [
    service('a', null),
    service('b', 'Nails'),
    service('c', 'Hair'),
    service('d'),
    service('e', 'Nails'),
  ];
  expect(groupsOf(services)).toEqual([
    ['Hair', 'c'],
    ['Nails', 'b e'],
    ['Other', 'a d'],
  ]);
  expect(categoriesOf(services)).toEqual(['Hair', 'Nails']);
});

it('where none has a category there is one group without a name', () => {
  expect(groupsOf([service('a'), service('b', null)])).toEqual([[null, 'a b']]);
  expect(groupsOf([])).toEqual([]);
});
