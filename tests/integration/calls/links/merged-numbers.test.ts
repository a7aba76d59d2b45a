import { eventually } from '../../../support/index.ts';
import {
  asked,
  belongs,
  called,
  calls,
  customer,
  customerOf,
  KEPT,
  KEPT_NUMBER,
  LOST,
  learned,
  merged,
  merges,
  NUMBER,
  newTenant,
  numbers,
  publish,
  source,
  startForEachMerge,
  tenant,
} from './merging-world.ts';

startForEachMerge();

describe('a number of a customer who became part of another one', () => {
  it('leads to that one, as that one’s own does', async () => {
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    await publish(merged(LOST, NUMBER));
    await eventually(async () => expect(await merges()).toHaveLength(1));
    const ids = [await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([KEPT, KEPT]);
    expect((await calls.events(tenant)).map(({ data }) => data.customer_id)).toEqual([KEPT, KEPT]);
    const test = await calls.admin(
      'POST',
      `/internal/tenants/${tenant}/call-sources/${source.id}/test-call`,
      {
        from_number: NUMBER,
      },
    );
    expect(test.body.data).toMatchObject({ customer: 'known', customer_id: KEPT });
    expect(asked()).toEqual([]);
  });

  const swapped = () => [merged(LOST, KEPT_NUMBER), customer(KEPT, NUMBER, 5)];
  it.each([
    ['the merge first', swapped],
    ['the other’s event first', () => swapped().reverse()],
    ['each twice', () => [...swapped(), ...swapped()]],
    [
      'with old events behind them',
      () => [...swapped(), customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER)],
    ],
  ])('leads there also where they have changed numbers: %s', async (_order, events) => {
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    for (const event of events()) await publish(event);
    await learned({ [NUMBER]: KEPT, [KEPT_NUMBER]: LOST });
    // Events of one key are applied in order: behind these the others are done with.
    await publish(
      { ...customer(91, '+493023125011'), key: merged(LOST, NUMBER).key },
      { ...customer(92, '+493023125012'), key: customer(KEPT, NUMBER).key },
    );
    await eventually(async () => expect(Object.keys(await numbers())).toHaveLength(4));
    expect(await numbers()).toMatchObject({ [NUMBER]: KEPT, [KEPT_NUMBER]: LOST });
    const ids = [await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([KEPT, KEPT]);
  });

  it('that crm’s word brought leads there too, before and after events of either', async () => {
    // Both numbers are the other’s to crm; no event has come.
    const kept = calls.crm.addCustomer(tenant, NUMBER);
    const id = await called();
    expect(await numbers()).toEqual({ [NUMBER]: kept });
    await publish(merged(LOST, NUMBER, kept));
    await learned({ [NUMBER]: LOST });
    await publish(customer(kept, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: kept });
    const ids = [id, await called(), await called({ from_number: KEPT_NUMBER })];
    expect(await Promise.all(ids.map(customerOf))).toEqual([kept, kept, kept]);
    expect(asked()).toHaveLength(1);
  });

  it('is nobody’s once it has been the shown one and was given up, also where all of that comes at once', async () => {
    const [third, fourth] = ['+493023125003', '+493023125004'];
    await publish(customer(LOST, NUMBER), customer(KEPT, KEPT_NUMBER));
    await learned({ [NUMBER]: LOST, [KEPT_NUMBER]: KEPT });
    await publish(merged(LOST, NUMBER));
    await eventually(async () => expect(await merges()).toHaveLength(1));
    const swapped = merged(LOST, KEPT_NUMBER, KEPT, tenant, 10);
    await publish(swapped, customer(KEPT, NUMBER, 5), customer(KEPT, third, 6), customer(91, fourth));
    await learned({ [KEPT_NUMBER]: LOST, [third]: KEPT, [fourth]: 91 });
    expect(await customerOf(await called())).toBeNull();
  });

  it('links the calls that came before it was known', async () => {
    const id = await called();
    expect(await customerOf(id)).toBeNull();
    await publish(merged(LOST, NUMBER));
    await belongs(id, KEPT);
  });
});

it('of a chain of merges all calls and numbers lead to its end, in whatever order and at once', async () => {
  const phones = ['+493023125021', '+493023125022', '+493023125023', '+493023125024'];
  const [first, second, third, last] = [81, 82, 83, 84];
  const chain = [
    () => merged(first, phones[0] as string, second),
    () => merged(second, phones[1] as string, third),
    () => merged(third, phones[2] as string, last),
  ] as const;
  for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], null]) {
    await newTenant();
    await publish(...phones.map((phone, nth) => customer(first + nth, phone)));
    await eventually(async () => expect(Object.keys(await numbers())).toHaveLength(4));
    const ids: number[] = [];
    for (const from_number of phones) ids.push(await called({ from_number }));
    if (order === null) await publish(...chain.map((event) => event()));
    else for (const nth of order) await publish((chain[nth] as () => ReturnType<typeof merged>)());
    for (const id of ids) await belongs(id, last);
    expect((await merges()).map(({ merged_into }) => merged_into)).toEqual([last, last, last]);
    const later = [];
    for (const from_number of phones) later.push(await customerOf(await called({ from_number })));
    expect(later).toEqual([last, last, last, last]);
  }
});
