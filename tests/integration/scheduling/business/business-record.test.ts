import { PLAN_LIMITS, WEEKDAYS } from '@frontdesk/contracts';
import { changeSettings, everyDay, NINE_TO_FIVE, openBusinessOf, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const get = (tenantId: number, headers?: Record<string, string>) =>
  world.api(tenantId, 'GET', '/business', undefined, headers);
const cut = { name: 'Cut', duration_minutes: 60, price: 10 };

describe('GET /business', () => {
  it('200: the business of the key, with an ETag of all that it shows', async () => {
    const { tenantId } = await openSalon(world);
    const { status, headers, body } = await get(tenantId);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          id: tenantId,
          name: expect.any(String),
          timezone: 'Europe/Berlin',
          country: 'DE',
          currency: 'EUR',
          opening_hours: everyDay(NINE_TO_FIVE),
          exceptions: [],
          booking_policy: 'open',
          plan: expect.any(String),
          rate_limits: expect.any(Object),
        },
      },
    ]);
    const { perMinute, perDay } = PLAN_LIMITS[body.data.plan as keyof typeof PLAN_LIMITS];
    expect(body.data.rate_limits).toEqual({ per_minute: perMinute, per_day: perDay });

    expect((await get(tenantId)).headers.etag).toBe(headers.etag);
    await changeSettings(world, tenantId, { booking_policy: 'slots_only' });
    const changed = await get(tenantId);
    expect(changed.body.data.booking_policy).toBe('slots_only');
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  it('200 also for a business that nobody has set up yet, and for one without staff', async () => {
    const { status, body } = await get(world.newTenant());
    expect([status, body.data.booking_policy]).toEqual([200, 'open']);
    expect(Object.keys(body.data.opening_hours)).toEqual([...WEEKDAYS]);
    expect(Object.values(body.data.opening_hours)).toEqual(Array(7).fill([]));
    const practice = await openPractice(world);
    expect((await get(practice.tenantId)).body.data.opening_hours).toEqual(everyDay(NINE_TO_FIVE));
  });

  it('staff who are inactive, or follow the business’s hours, open it at no other time', async () => {
    const late = everyDay([{ start: '20:00', end: '22:00' }]);
    const { tenantId } = await openBusinessOf(world, {
      services: [cut],
      staff: [
        { name: 'Anna', services: ['Cut'], hours: everyDay(NINE_TO_FIVE) },
        { name: 'Ben', services: ['Cut'], hours: late, is_active: false },
        { name: 'Cleo', services: ['Cut'], follows_business_hours: true },
      ],
    });
    expect((await get(tenantId)).body.data.opening_hours).toEqual(everyDay(NINE_TO_FIVE));
    await world.importBusiness(tenantId, { hours: late });
    expect((await get(tenantId)).body.data.opening_hours).toEqual(late);
  });

  it('names the closing days and shorter days to come, without their notes, by the business’s calendar', async () => {
    const tenantId = world.newTenant({ timezone: 'Pacific/Auckland' });
    const today = Temporal.Now.plainDateISO('Pacific/Auckland');
    const day = (days: number) => today.add({ days }).toString();
    await openBusinessOf(
      world,
      {
        hours: everyDay(NINE_TO_FIVE),
        services: [cut],
        exceptions: [
          { date: day(-1), hours: [], note: 'Stocktaking' },
          { date: day(0), hours: [{ start: '09:00', end: '10:00' }], note: 'Stocktaking' },
          { date: day(89), hours: [], note: 'Stocktaking' },
          { date: day(90), hours: [], note: 'Stocktaking' },
        ],
        time_off: [{ start: `${day(2)}T00:00`, end: `${day(3)}T12:00`, note: 'Works outing' }],
      },
      tenantId,
    );
    const { body } = await get(tenantId);
    expect(body.data.exceptions).toEqual([
      { date: day(0), hours: [{ start: '09:00', end: '10:00' }] },
      { date: day(2), hours: [] },
      { date: day(3), hours: [{ start: '12:00', end: '17:00' }] },
      { date: day(89), hours: [] },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/Stocktaking|outing/);
  });

  it('every key sees its own business, and nothing of another', async () => {
    const [mine, theirs] = [await openSalon(world), world.newTenant({ timezone: 'Asia/Tokyo' })];
    await changeSettings(world, theirs, { booking_policy: 'slots_only' });
    await world.importBusiness(theirs, { exceptions: [{ date: '2031-06-02', hours: [] }] });
    const shown = async (tenantId: number) => (await get(tenantId)).body.data;
    expect(await shown(mine.tenantId)).toMatchObject({
      id: mine.tenantId,
      timezone: 'Europe/Berlin',
      booking_policy: 'open',
    });
    expect(await shown(theirs)).toMatchObject({
      id: theirs,
      timezone: 'Asia/Tokyo',
      booking_policy: 'slots_only',
    });
    const path = `/business/${theirs}`;
    expect((await world.api(mine.tenantId, 'GET', path)).status).toBe(404);
  });
});
