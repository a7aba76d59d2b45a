import { deliveriesAddress, deliveryFilter, isFiltered, logQuery } from './delivery-filter.rules.ts';

it('takes days as the business’s own, the last one included, also where the clock changes', () => {
  const query = logQuery({ from: '2026-10-25', to: '2026-10-25', status: 'failed' }, 'Europe/Berlin', 20);
  expect(Object.fromEntries(query ?? [])).toEqual({
    status: 'failed',
    per_page: '20',
    from: '2026-10-24T22:00:00Z',
    to: '2026-10-25T23:00:00Z',
  });
});

it.each([
  ['evt_0B0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11', { event_id: 'evt_0B0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11' }],
  [' 0b0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11 ', { event_id: '0b0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11' }],
  ['207800000000012', { id: '207800000000012' }],
  ['evt_1', null],
  ['appointment', null],
])('looks for the id %s', (id, expected) => {
  const query = logQuery(deliveryFilter.parse({ id }), 'UTC', 20);
  expect(query && Object.fromEntries(query)).toEqual(expected && { per_page: '20', ...expected });
});

it.each([
  { id: 'x'.repeat(81) },
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
  const filter = deliveryFilter.parse({
    id: ' ',
    endpoint_id: '',
    event: '',
    status: 'failed',
    from: '',
    to: '',
  });
  expect(deliveriesAddress(filter)).toBe('/settings/api?status=failed#deliveries');
  expect(isFiltered(filter)).toBe(true);
  expect(isFiltered(deliveryFilter.parse({ page: '2' }))).toBe(false);
});
