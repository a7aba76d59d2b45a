import { MAX_OPEN_HOLDS } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { eventually, operator } from '../../../support/index.ts';
import { storedAppointments } from '../appointments-table.ts';
import { asOperator } from '../as-operator.ts';
import { openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

// Of its own: whether holds are on is said of all businesses.
beforeAll(async () => {
  world = await startScheduling({ isWhole: true });
});

afterAll(() => world.stop());

const ofSystem = (method: 'GET' | 'PATCH', body?: object) =>
  world.send('internal', operator, { method, url: '/internal/holds', body });

describe('the operator', () => {
  it('sees that a new system holds times, and how many are held, by business', async () => {
    const salon = await openSalon(world);
    const before = (await ofSystem('GET')).body.data;
    expect(before.is_on).toBe(true);
    await salon.hold({ appointment_time: '09:00' });
    const { id } = (await salon.hold({ appointment_time: '12:00' })).body.data;
    await salon.release(id);
    const { open, kept, businesses } = (await ofSystem('GET')).body.data;
    expect([open, kept]).toEqual([before.open + 1, before.kept + 2]);
    expect(businesses).toContainEqual({ tenant_id: salon.tenantId, open: 1 });
  });

  it('turns holds off: none is made any more, and those that are open stay good', async () => {
    const salon = await openSalon(world);
    const { id } = (await salon.hold()).body.data;
    expect((await ofSystem('PATCH', { is_on: false })).body.data.is_on).toBe(false);
    const refused = await salon.hold({ appointment_time: '15:00' });
    expect([refused.status, refused.body.code]).toEqual([403, 'holds_off']);
    expect((await salon.bookHold(id)).status).toBe(201);
    expect((await ofSystem('PATCH', { is_on: true })).body.data.is_on).toBe(true);
    expect((await salon.hold({ appointment_time: '15:00' })).status).toBe(201);
  });

  it.each([{}, { is_on: null }, { is_on: 'false' }, { is_on: 0 }])('%j turns nothing', async (body) => {
    const { status } = await ofSystem('PATCH', body);
    expect(status).toBe(422);
    expect((await ofSystem('GET')).body.data.is_on).toBe(true);
  });

  it('ends all open holds of one business, and what is booked stays', async () => {
    const [salon, other] = [await openSalon(world), await openSalon(world)];
    for (const appointment_time of ['09:00', '11:00', '13:00']) await salon.hold({ appointment_time });
    const { id } = (await salon.hold({ appointment_time: '15:00' })).body.data;
    await salon.bookHold(id);
    const elsewhere = (await other.hold()).body.data.id;
    const run = asOperator(world, salon.tenantId);
    expect((await run('GET', '/holds')).body.data).toEqual({ open: 3, allowed: MAX_OPEN_HOLDS.business });
    expect((await run('DELETE', '/holds')).body.data).toEqual({ released: 3 });
    expect((await run('DELETE', '/holds')).body.data).toEqual({ released: 0 });
    expect((await run('GET', '/holds')).body.data.open).toBe(0);
    expect((await salon.book({ appointment_time: '09:00' })).status).toBe(201);
    const rows = await storedAppointments(world, salon.tenantId);
    expect(rows.filter(({ status }) => status === 'scheduled')).toHaveLength(2);
    expect((await other.showHold(elsewhere)).body.data.status).toBe('open');
  });
});

describe('the worker', () => {
  const age = systemSql<never, { tenantId: number }>(
    'test_age_holds',
    `update appointments set held_until = held_until - interval '61 minutes' where tenant_id = $tenantId and customer_id is null`,
  );

  it('clears away what has ended, forgets it after an hour, and leaves the rest', async () => {
    const salon = await openSalon(world);
    const [over, open, booked] = await Promise.all(
      ['09:00', '11:00', '13:00'].map(
        async (appointment_time) => (await salon.hold({ appointment_time })).body.data.id as number,
      ),
    );
    await salon.bookHold(booked as number);
    await salon.letExpire(over);
    const statuses = async () =>
      (await storedAppointments(world, salon.tenantId)).map(({ id, status }) => [id, status]);
    await eventually(async () => expect(await statuses()).toContainEqual([over, 'expired']), {
      timeoutMs: 60_000,
    });
    expect(await statuses()).toEqual(
      expect.arrayContaining([
        [open, 'held'],
        [booked, 'scheduled'],
      ]),
    );
    expect((await salon.bookHold(over as number)).body.code).toBe('hold_expired');

    await world.database.system.run(age, { tenantId: salon.tenantId });
    await eventually(async () => expect(await statuses()).toEqual([[booked, 'scheduled']]), {
      timeoutMs: 60_000,
    });
    expect((await salon.showHold(over as number)).status).toBe(404);
    expect((await salon.showHold(booked as number)).body.data.status).toBe('booked');
  });
});
