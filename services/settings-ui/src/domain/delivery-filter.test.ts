import { deliveryFilter, filterQuery, isFiltered, logQuery } from './delivery-filter.ts';

it('takes days as the business’s own, the last one included, also where the clock changes', () => {
  const query = logQuery({ from: '2026-10-25', to: '2026-10-25', status: 'failed' }, 'Europe/Berlin', 20);
  expect(Object.fromEntries(query)).toEqual({
    status: 'failed',
    per_page: '20',
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
  });
});

it.each([
  { endpoint_id: 'x' },
  { event: 'nothing' },
  { status: 'lost' },
  { from: '2026-02-30' },
  { to: ['2026-02-27', '2026-02-28'] },
  { page: '0' },
])('refuses what can’t be read: %j', (query) => {
  const { error } = deliveryFilter.safeParse(query);
  expect(error?.issues.map(({ path }) => path)).toEqual([Object.keys(query)]);
});

it('leaves out what is empty', () => {
  const filter = deliveryFilter.parse({ endpoint_id: '', event: '', status: 'failed', from: '', to: '' });
  expect(filterQuery(filter)).toBe('status=failed');
  expect(isFiltered(filter)).toBe(true);
  expect(isFiltered(deliveryFilter.parse({ page: '2' }))).toBe(false);
});
