import { nearestName } from './near-name.ts';

const KNOWN = [
  'page',
  'per_page',
  'phone',
  'customer_id',
  'from_date',
  'updated_since',
  'search',
  'sort',
  'types',
  'api_key',
];

describe('the name that is meant', () => {
  it.each([
    ['phoen', 'phone'],
    ['phon', 'phone'],
    ['Phone', 'phone'],
    ['phone_number', 'phone'],
    ['perPage', 'per_page'],
    ['per-page', 'per_page'],
    ['customerId', 'customer_id'],
    ['customer', 'customer_id'],
    ['custmer_id', 'customer_id'],
    ['from', 'from_date'],
    ['search[]', 'search'],
    ['updated_sinec', 'updated_since'],
    ['sotr', 'sort'],
    ['typ', 'types'],
    ['API_KEY', 'api_key'],
  ])('by %s is %s', (wrong, meant) => expect(nearestName(wrong, KNOWN)).toBe(meant));

  it.each(['', '_', 'q', 'x', 'colour', '__proto__', 'constructor', 'p', 'fon', 'й'.repeat(5), '🙂'])(
    'by %j is none',
    (wrong) => expect(nearestName(wrong, KNOWN)).toBeNull(),
  );

  it('is looked for in names of any length', () => {
    expect(nearestName('phone'.repeat(1_000_000), KNOWN)).toBe('phone');
  });
});
