import { typedWords, typingErrors } from './similar-names.ts';

const errors = (typed: string, name: string) => typingErrors(typedWords(typed), name);

it.each([
  ['siobahn', 'Siobhán Murphy', 1],
  ['McDonld', 'Ronald McDonald', 1],
  ['murphy siobhan', 'Siobhán Murphy', 0],
  ['siobah', 'Siobhán', 1],
  ['mc donald', 'McDonald', 0],
  ['Maryann', 'Mary Ann', 0],
  ['anna', 'Amna', 1],
  ['papadopuolso', 'Papadopoulos', 2],
  ['jo mcdonld', 'John McDonald', 1],
])('"%s" is "%s" with %i typing errors', (typed, name, count) => {
  expect(errors(typed, name)).toBe(count);
});

it.each([
  ['maria martin', 'Maria Wolf'],
  ['martin', 'Maria'],
  ['anna', 'Annika'],
  ['jon', 'John'],
  ['siobahn murphy', 'Siobhán Wong'],
  ['siobahn 2', 'Siobhán 3'],
  ['030 23125', 'Siobhán'],
  ['siobahn@example.com', 'Siobhán'],
  ['', 'Siobhán'],
  ['x'.repeat(81), 'x'.repeat(80)],
])('"%s" is not "%s" mistyped', (typed, name) => {
  expect(errors(typed, name)).toBeNull();
});
