import { REWRITTEN_TOGETHER } from '@frontdesk/merges';
import { eventually } from '../../../support/index.ts';
import { startMerging } from './merging-world.ts';

let world: Awaited<ReturnType<typeof startMerging>>;
beforeAll(async () => {
  world = await startMerging();
});
afterAll(() => world.stop());

type Salon = Awaited<ReturnType<typeof world.salonOf>>;

/** The customer who is gone, and the one who has all of theirs. */
async function salonOfTwo(): Promise<Salon & { lost: number; kept: number }> {
  const salon = await world.salonOf(2);
  const [lost, kept] = salon.ids as [number, number];
  return { ...salon, lost, kept };
}

const rewritten = (tenantId: number, customers: number[]) =>
  eventually(async () => expect(await world.customersOf(tenantId)).toEqual(customers));

describe('appointments of a customer who became part of another one', () => {
  it('name that one, under a new version, ETag and updated_at; their next event is the first to say so', async () => {
    const { tenantId, lost, kept, bookedAt, change, ...salon } = await salonOfTwo();
    const [id] = [await bookedAt(9, lost), await bookedAt(10, lost)];
    const own = await bookedAt(11, kept);
    const before = await world.shown(tenantId, id);
    const ownBefore = await world.shown(tenantId, own);
    await world.publish([world.merged(tenantId, lost, kept)]);
    await rewritten(tenantId, [kept, kept, kept]);

    const after = await world.shown(tenantId, id);
    expect(after).toEqual({ ...before, customer_id: kept, updated_at: after.updated_at, etag: after.etag });
    expect(after.etag).not.toBe(before.etag);
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await world.shown(tenantId, own)).toEqual(ownBefore);
    const listed = async (customer: number) =>
      (await world.api(tenantId, 'GET', `/appointments?customer_id=${customer}`)).body.meta.total;
    expect([await listed(lost), await listed(kept)]).toEqual([0, 3]);

    expect(await salon.eventTypes()).toEqual(Array(3).fill('appointment.created'));
    expect((await change(id, { notes: 'Old' }, { 'if-match': before.etag })).status).toBe(412);
    expect((await change(id, { notes: 'New' }, { 'if-match': after.etag })).status).toBe(200);
    expect((await world.events(tenantId)).at(-1)).toMatchObject({
      type: 'appointment.updated',
      aggregate_version: 3,
      data: { id, customer_id: kept },
    });
  });

  it('of another business, with the same ids, stay theirs', async () => {
    const { tenantId, lost, kept, bookedAt } = await salonOfTwo();
    await bookedAt(9, lost);
    const other = await world.salonOf(0);
    for (const id of [lost, kept]) world.neighbours.customers.add(`${other.tenantId}:${id}`);
    const id = await other.bookedAt(9, lost);
    const before = await world.shown(other.tenantId, id);
    await world.publish([world.merged(tenantId, lost, kept)]);
    await rewritten(tenantId, [kept]);
    await other.bookedAt(10, lost);
    expect(await world.customersOf(other.tenantId)).toEqual([lost, lost]);
    expect(await world.shown(other.tenantId, id)).toEqual(before);
  });

  it('are all rewritten, each once, however many there are', async () => {
    const { tenantId, lost, kept, bookedAt } = await salonOfTwo();
    const count = 2 * REWRITTEN_TOGETHER + 1;
    await world.multiply(tenantId, await bookedAt(9, lost), count - 1);
    await world.publish([world.merged(tenantId, lost, kept)]);
    const stored = `select customer_id, version, count(*) as rows from appointments where tenant_id = $tenantId group by 1, 2`;
    await eventually(async () =>
      expect(await world.sql(tenantId, stored)).toEqual([{ customer_id: kept, version: 2, rows: count }]),
    );
  });

  it('are found although their booking was under way at the merge', async () => {
    const { tenantId, lost, kept, bookedAt, bookAt } = await salonOfTwo();
    await bookedAt(9, lost);
    let booking: ReturnType<Salon['bookAt']> | undefined;
    await world.holding(tenantId, async (untilWaiting) => {
      booking = bookAt(10, lost);
      await untilWaiting(1);
      await world.publish([world.merged(tenantId, lost, kept)]);
      await rewritten(tenantId, [kept]);
      await eventually(async () => expect(await world.merges(tenantId)).toMatchObject([{ is_due: false }]));
    });
    expect((await booking)?.body.data.customer_id).toBe(lost);
    await world.makeRewritesDue();
    await rewritten(tenantId, [kept, kept]);
  });

  it('are not lost by a change that is under way meanwhile: it names the other one', async () => {
    const { tenantId, lost, kept, bookedAt, change } = await salonOfTwo();
    const id = await bookedAt(9, lost);
    let moving: ReturnType<Salon['change']> | undefined;
    await world.holding(tenantId, async (untilWaiting) => {
      moving = change(id, { appointment_time: '12:00' });
      await untilWaiting(1);
      await world.publish([world.merged(tenantId, lost, kept)]);
      // The rewriting waits for the appointment.
      await untilWaiting(2);
    });
    expect((await moving)?.body.data).toMatchObject({ customer_id: kept, appointment_time: '12:00' });
    await eventually(async () => expect(await world.merges(tenantId)).toMatchObject([{ is_due: false }]));
    expect((await world.events(tenantId)).at(-1)).toMatchObject({
      aggregate_version: 2,
      data: { customer_id: kept },
    });
    expect((await world.shown(tenantId, id)).customer_id).toBe(kept);
  });
});
