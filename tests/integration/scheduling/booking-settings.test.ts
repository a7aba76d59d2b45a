import { atOnce } from './answers.ts';
import { asOperator } from './as-operator.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const PATH = '/booking-settings';
const DEFAULTS = {
  booking_policy: 'open',
  slot_step_minutes: 15,
  minimum_notice_minutes: 0,
  horizon_days: null,
};

describe('GET and PATCH /booking-settings', () => {
  it('a business that nobody has set up yet has the defaults, the same as once it is begun', async () => {
    const send = asOperator(world, world.newTenant());
    const unborn = await send('GET', PATH);
    expect([unborn.status, unborn.headers.etag, unborn.body.data]).toEqual([200, '"1"', DEFAULTS]);
    const begun = await send('PATCH', PATH, {});
    expect([begun.status, begun.headers.etag, begun.body.data]).toEqual([200, '"1"', DEFAULTS]);
    expect((await send('GET', PATH)).body.data).toEqual(DEFAULTS);
  });

  it('what is named changes, the rest stays; a change that changes nothing is no new version', async () => {
    const send = asOperator(world, world.newTenant());
    const first = await send('PATCH', PATH, { slot_step_minutes: 20, horizon_days: 60 });
    expect([first.headers.etag, first.body.data]).toEqual([
      '"2"',
      { ...DEFAULTS, slot_step_minutes: 20, horizon_days: 60 },
    ]);
    const again = await send('PATCH', PATH, { slot_step_minutes: 20 });
    expect([again.headers.etag, again.body.data]).toEqual(['"2"', first.body.data]);
    const unbounded = await send('PATCH', PATH, { horizon_days: null });
    expect(unbounded.body.data).toEqual({ ...DEFAULTS, slot_step_minutes: 20 });
  });

  it('bookings obey from the next request on', async () => {
    const salon = await openSalon(world);
    await asOperator(world, salon.tenantId)('PATCH', PATH, { booking_policy: 'slots_only' });
    expect((await salon.book({ appointment_time: '10:05' })).body.errors).toHaveProperty('appointment_time');
  });

  it('412: another version than the one in If-Match, and nothing happens', async () => {
    const send = asOperator(world, world.newTenant());
    const patch = { slot_step_minutes: 30 };
    expect((await send('PATCH', PATH, patch, { 'if-match': '"7"' })).status).toBe(412);
    expect((await send('GET', PATH)).body.data).toEqual(DEFAULTS);
    expect((await send('PATCH', PATH, patch, { 'if-match': '"1"' })).headers.etag).toBe('"2"');
  });

  it.each([
    ['booking_policy', 'closed'],
    ['slot_step_minutes', 0],
    ['slot_step_minutes', 7.5],
    ['minimum_notice_minutes', -1],
    ['horizon_days', 0],
    ['horizon_days', '30'],
  ])('422 on %s: %j', async (field, value) => {
    const send = asOperator(world, world.newTenant());
    const { status, body } = await send('PATCH', PATH, { [field]: value });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  it('ten changes at once are ten versions', async () => {
    const send = asOperator(world, world.newTenant());
    const answers = await atOnce(10, (index) => send('PATCH', PATH, { slot_step_minutes: index + 1 }));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(10);
    expect((await send('GET', PATH)).headers.etag).toBe('"11"');
  });
});
