import { eventually } from '../../../support/index.ts';
import { startMerging } from './merging-world.ts';

let world: Awaited<ReturnType<typeof startMerging>>;
beforeAll(async () => {
  world = await startMerging();
});
afterAll(() => world.stop());

const customerOf = ({ body }: { body: { data: { customer_id: number } } }) => body.data.customer_id;

/** All orders of these. */
const ordersOf = <Item>(items: Item[]): Item[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));

describe('a booking for a customer who became part of another one', () => {
  it('is made for that one, though no event of either has come, and crm is not asked', async () => {
    const { tenantId, ids, bookAt, ...salon } = await world.salonOf(2);
    const [lost, kept] = ids as [number, number];
    await world.publish([world.merged(tenantId, lost, kept)]);
    await eventually(async () => expect(await world.merges(tenantId)).toHaveLength(1));
    expect(customerOf(await bookAt(9, lost))).toBe(kept);
    expect(customerOf(await bookAt(10, kept))).toBe(kept);
    expect(world.neighbours.asked.filter((asked) => asked.startsWith(`${tenantId}:`))).toEqual([]);
    expect((await world.events(tenantId)).map(({ data }) => data.customer_id)).toEqual([kept, kept]);
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.created']);
  });

  it('is made for that one by crm’s word, where the merge has not been heard of', async () => {
    const { tenantId, ids, bookAt } = await world.salonOf(2);
    const [lost, kept] = ids as [number, number];
    world.neighbours.mergedInto.set(`${tenantId}:${lost}`, kept);
    expect(customerOf(await bookAt(9, lost))).toBe(kept);
    expect(await world.known(tenantId)).toEqual([{ id: kept, version: 0 }]);
    expect((await bookAt(10, 4)).status).toBe(422);
  });

  it('is made once, and answered as it was when it is sent again', async () => {
    const { tenantId, ids, bookAt } = await world.salonOf(2);
    const [lost, kept] = ids as [number, number];
    const first = await bookAt(9, lost, { 'idempotency-key': 'before' });
    await world.publish([world.merged(tenantId, lost, kept)]);
    await eventually(async () => expect(await world.customersOf(tenantId)).toEqual([kept]));
    const second = await bookAt(10, lost, { 'idempotency-key': 'after' });
    expect([customerOf(first), customerOf(second)]).toEqual([lost, kept]);
    const again = await Promise.all([
      bookAt(9, lost, { 'idempotency-key': 'before' }),
      bookAt(10, lost, { 'idempotency-key': 'after' }),
    ]);
    expect(again.map(({ status, body }) => [status, body])).toEqual([
      [201, first.body],
      [201, second.body],
    ]);
    expect(await world.customersOf(tenantId)).toEqual([kept, kept]);
  });
});

it('events of a merge and of both customers come to the same in any order, and however often', async () => {
  const salons = [];
  for (const order of ordersOf(['lost', 'kept', 'merge', 'merge again'])) {
    const { ids, ...salon } = await world.salonOf(2);
    const [lost, kept] = ids as [number, number];
    await salon.bookedAt(9, lost);
    for (const event of order) {
      if (event === 'lost') await world.publish([world.created(salon.tenantId, lost, 2)]);
      else if (event === 'kept') await world.publish([world.created(salon.tenantId, kept, 2)]);
      else await world.publish([world.merged(salon.tenantId, lost, kept)]);
    }
    salons.push({ ...salon, lost, kept });
  }
  for (const { tenantId, lost, kept, bookAt } of salons) {
    await eventually(async () => expect(await world.customersOf(tenantId)).toEqual([kept]));
    const known = [
      { id: lost, version: 9 },
      { id: kept, version: 2 },
    ];
    await eventually(async () =>
      expect(await world.known(tenantId)).toEqual(known.toSorted((one, other) => one.id - other.id)),
    );
    expect(await world.merges(tenantId)).toMatchObject([{ id: lost, merged_into: kept }]);
    expect(customerOf(await bookAt(10, lost))).toBe(kept);
  }
});

it('of a chain of merges all appointments name its end, in whatever order and at once', async () => {
  const salons = [];
  const orders = ordersOf([0, 1, 2]);
  for (const [nth, order] of [...orders, ...orders].entries()) {
    const salon = await world.salonOf(4);
    for (const [index, id] of salon.ids.entries()) await salon.bookedAt(9 + index, id);
    const merges = order.map((at) =>
      world.merged(salon.tenantId, salon.ids[at] as number, salon.ids[at + 1] as number),
    );
    if (nth < orders.length) for (const merge of merges) await world.publish([merge]);
    else await world.publish(merges);
    salons.push(salon);
  }
  for (const { tenantId, ids, bookAt } of salons) {
    const last = ids.at(-1);
    await eventually(async () => expect(await world.customersOf(tenantId)).toEqual(Array(4).fill(last)));
    const targets = (await world.merges(tenantId)).map(({ merged_into }) => merged_into);
    expect(targets).toEqual(Array(3).fill(last));
    for (const [index, id] of ids.entries()) expect(customerOf(await bookAt(13 + index, id))).toBe(last);
  }
});
