import { asOperator } from '../as-operator.ts';
import { exported, imported, versionsOf } from '../business-documents.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openBusinessOf } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { plusDays } from '../wall-clock.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());

afterAll(() => world.stop());

const SERVICES = [{ name: 'Haircut', duration_minutes: 60, price: 45.5 }];
const MORNING = [{ start: '09:00', end: '11:00' }];
/** Starts every quarter of an hour of `MORNING`. */
const MORNING_STARTS = ['09:00', '09:15', '09:30', '09:45', '10:00'];

/** A business that opens on Mondays from nine to eleven, and Anna, who was added without a word of her hours. */
async function openWithFollower() {
  const { tenantId, serviceIds, ...booking } = await openBusinessOf(world, {
    services: SERVICES,
    hours: { monday: MORNING },
  });
  const [haircut = 0] = serviceIds;
  const send = asOperator(world, tenantId);
  const alone = await startsOf(tenantId, haircut);
  const { body } = await send('POST', '/staff', { name: 'Anna', service_ids: [haircut] });
  const { id: anna } = body.data;
  return {
    ...booking,
    tenantId,
    haircut,
    anna,
    send,
    alone,
    added: body.data,
    starts: (date = MONDAY) => startsOf(tenantId, haircut, date),
    publicRecord: async () => (await world.api(tenantId, 'GET', `/staff/${anna}`)).body.data,
    record: async () => (await send('GET', `/staff/${anna}`)).body.data,
  };
}

async function startsOf(tenantId: number, serviceId: number, date = MONDAY): Promise<string[]> {
  const path = `/appointments/slots?date=${date}&service_id=${serviceId}`;
  return (await world.api(tenantId, 'GET', path)).body.data.map(({ time }: { time: string }) => time);
}

describe('a staff member who follows the business’s hours', () => {
  it('is offered when the business was offered before: slots, next slot, working hours, day and overview agree', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`${plusDays(MONDAY, -1)}T12:00:00Z`));
    const { send, alone, starts, added, anna, tenantId, publicRecord } = await openWithFollower();
    expect(added.follows_business_hours).toBe(true);
    expect(alone).toEqual(MORNING_STARTS);
    expect(await starts()).toEqual(alone);
    const record = await publicRecord();
    expect(record.working_hours).toEqual({ ...everyDay([]), monday: MORNING });
    expect(record.next_available_slot).toMatchObject({ date: MONDAY, time: '09:00' });
    const listed = (await world.api(tenantId, 'GET', '/staff')).body.data;
    expect(listed[0].next_available_slot).toEqual(record.next_available_slot);
    const day = (await send('GET', `/days/${MONDAY}`)).body.data;
    expect(day.columns).toMatchObject([
      { staff_id: anna, open: [{ starts_at: `${MONDAY}T09:00:00+02:00` }] },
    ]);
    const overview = (await send('GET', `/statistics/appointments?date=${MONDAY}`)).body.data;
    expect(overview.working_minutes).toBe(120);
  });

  it('works by the business’s dates, longer ones too, and closing days; dates and time off of their own hold over them', async () => {
    const { send, starts, anna } = await openWithFollower();
    const sunday = plusDays(MONDAY, -1);
    await send('PUT', `/calendar/exceptions/${sunday}`, { hours: [{ start: '12:00', end: '13:00' }] });
    expect(await starts(sunday)).toEqual(['12:00']);
    await send('PUT', `/staff/${anna}/calendar/exceptions/${sunday}`, {
      hours: [{ start: '15:00', end: '16:00' }],
    });
    expect(await starts(sunday)).toEqual(['15:00']);
    await send('POST', `/staff/${anna}/calendar/time-off`, {
      start: `${MONDAY}T00:00`,
      end: `${MONDAY}T10:00`,
    });
    expect(await starts()).toEqual(['10:00']);
    const closed = { start: `${MONDAY}T00:00`, end: `${plusDays(MONDAY, 1)}T00:00` };
    await send('POST', '/calendar/time-off', closed);
    expect(await starts()).toEqual([]);
  });

  it('has hours of their own once these are saved, until set to follow again', async () => {
    const { send, starts, anna, record, publicRecord } = await openWithFollower();
    const own = { hours: { monday: [{ start: '14:00', end: '15:00' }] } };
    const saved = await send('PUT', `/staff/${anna}/calendar/hours`, own);
    expect([saved.status, saved.headers.etag]).toEqual([200, '"2"']);
    expect([(await record()).follows_business_hours, await starts()]).toEqual([false, ['14:00']]);
    await send('PUT', '/calendar/hours', { hours: everyDay(NINE_TO_FIVE) });
    expect(await starts()).toEqual(['14:00']);

    const followed = await send('PATCH', `/staff/${anna}`, { follows_business_hours: true });
    expect([followed.body.data.follows_business_hours, followed.headers.etag]).toEqual([true, '"3"']);
    expect(await starts()).toHaveLength(29);
    expect((await publicRecord()).working_hours).toEqual(everyDay(NINE_TO_FIVE));
    // Their own hours are gone: no longer following, there are none.
    await send('PATCH', `/staff/${anna}`, { follows_business_hours: false });
    expect(await starts()).toEqual([]);
  });

  it('has own hours after saving none, and that is a new version', async () => {
    const { send, starts, anna, record } = await openWithFollower();
    const saved = await send('PUT', `/staff/${anna}/calendar/hours`, { hours: {} });
    expect(saved.headers.etag).toBe('"2"');
    expect([(await record()).follows_business_hours, await starts()]).toEqual([false, []]);
    const again = await send('PUT', `/staff/${anna}/calendar/hours`, { hours: {} });
    expect(again.headers.etag).toBe('"2"');
  });

  it('is booked by the same hours where only offered times may be', async () => {
    const { send, book, anna } = await openWithFollower();
    await send('PATCH', '/booking-settings', { booking_policy: 'slots_only' });
    expect((await book({ staff_id: anna, appointment_time: '11:00' })).status).toBe(422);
    const taken = { staff_id: anna, appointment_time: '09:30' };
    expect((await book(taken)).status).toBe(201);
    const { status, body } = await book(taken);
    expect(status).toBe(409);
    expect(body.data.alternatives.map(({ time }: { time: string }) => time)).not.toContain('11:00');
  });
});

describe('a business document', () => {
  it('says who follows; from an export everybody comes back as they were, also in an empty business', async () => {
    const { tenantId, send } = await openWithFollower();
    await send('POST', '/staff', { name: 'Ben', follows_business_hours: false });
    const document = await exported(world, tenantId);
    expect(document.staff).toEqual([
      expect.objectContaining({ name: 'Anna', follows_business_hours: true }),
      expect.objectContaining({ name: 'Ben', hours: {} }),
    ]);
    expect(document.staff.map((member) => Object.keys(member).includes('hours'))).toEqual([false, true]);
    const versions = await versionsOf(world, tenantId);
    await imported(world, tenantId, document);
    expect(await versionsOf(world, tenantId)).toEqual(versions);
    const copy = world.newTenant();
    await imported(world, copy, document);
    expect(await exported(world, copy)).toEqual(document);
  });

  it('gives hours of their own to staff who have some in it, and takes them from staff who follow', async () => {
    const { tenantId, anna, send, starts } = await openWithFollower();
    const member = { name: 'Anna', services: ['Haircut'] };
    await imported(world, tenantId, { staff: [member] });
    expect(await starts()).toEqual(MORNING_STARTS);
    await imported(world, tenantId, { staff: [{ ...member, hours: { monday: NINE_TO_FIVE } }] });
    expect(await starts()).toHaveLength(29);
    await imported(world, tenantId, { staff: [member] });
    expect(await starts()).toHaveLength(29);
    await imported(world, tenantId, { staff: [{ ...member, follows_business_hours: true }] });
    expect(await starts()).toEqual(MORNING_STARTS);
    expect((await send('GET', `/staff/${anna}/calendar`)).body.data.hours).toEqual(everyDay([]));
  });

  it('of an earlier release changes nothing where it came from: hours that are empty in it are none', async () => {
    const { tenantId, send } = await openWithFollower();
    await send('POST', '/staff', { name: 'Ben', follows_business_hours: false });
    const { staff, ...others } = await exported(world, tenantId);
    const old = { ...others, staff: staff.filter(({ name }) => name === 'Ben') };
    const versions = await versionsOf(world, tenantId);
    await imported(world, tenantId, old);
    expect(await versionsOf(world, tenantId)).toEqual(versions);
    const copy = world.newTenant();
    await imported(world, copy, old);
    expect(await exported(world, copy)).toEqual(old);
  });

  it('422: hours for somebody who follows the business’s', async () => {
    const staff = [{ name: 'Anna', services: [], hours: {}, follows_business_hours: true }];
    const { status, body } = await world.importBusiness(world.newTenant(), { staff });
    expect([status, body.errors]).toEqual([
      422,
      { 'staff.0.hours': ['Staff who follow the business’s hours can’t have hours of their own.'] },
    ]);
  });
});
