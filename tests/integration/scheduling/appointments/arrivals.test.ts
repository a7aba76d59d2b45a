import { asOperator } from '../as-operator.ts';
import { MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { salonWithDesk } from './desk-salon.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('an arrival', () => {
  it('has its time, and is no change of the record: no version, no event', async () => {
    const salon = await salonWithDesk(world);
    expect(await salon.seen()).toMatchObject({ arrived_at: null, cancellation_reason: null });
    const { status, headers, body } = await salon.edit({ arrived: true });
    expect([status, headers.etag, body.data]).toEqual([200, '"1"', salon.appointment]);
    expect(await salon.shown()).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
    const { arrived_at } = await salon.seen();
    expect(Math.abs(Date.parse(arrived_at) - Date.now())).toBeLessThan(60_000);

    await salon.edit({ arrived: true });
    expect((await salon.seen()).arrived_at).toBe(arrived_at);
    await salon.edit({ arrived: false });
    await salon.edit({ arrived: false });
    expect((await salon.seen()).arrived_at).toBeNull();
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('days show it under another ETag', async () => {
    const salon = await salonWithDesk(world);
    const before = await salon.dayEtag();
    await salon.edit({ arrived: true });
    const marked = await salon.dayEtag();
    const { columns } = (await salon.send('GET', `/days/${MONDAY}`)).body.data;
    expect(columns[0].appointments).toMatchObject([
      { id: salon.id, arrived_at: expect.any(String), version: 1 },
    ]);
    await salon.edit({ arrived: false });
    expect([marked === before, (await salon.dayEtag()) === before]).toEqual([false, true]);
  });

  it('goes with other fields in one transaction: all of it or nothing', async () => {
    const salon = await salonWithDesk(world);
    const { headers, body } = await salon.edit({ arrived: true, status: 'completed', notes: 'x' });
    expect([headers.etag, body.data]).toEqual([
      '"2"',
      expect.objectContaining({ status: 'completed', notes: 'x' }),
    ]);
    expect((await salon.seen()).arrived_at).toEqual(expect.any(String));
    const refused = await salon.edit({ arrived: false, service_id: 999_999 });
    expect(refused.status).toBe(422);
    expect((await salon.seen()).arrived_at).toEqual(expect.any(String));
    const stale = await salon.edit({ arrived: false }, { 'if-match': '"1"' });
    expect(stale.status).toBe(412);
  });

  it('stays on its day, and does not go along to another', async () => {
    const salon = await salonWithDesk(world);
    await salon.edit({ arrived: true });
    const { arrived_at } = await salon.seen();
    await salon.edit({ appointment_time: '11:00' });
    expect((await salon.seen()).arrived_at).toBe(arrived_at);
    await salon.edit({ appointment_date: '2031-06-03' });
    expect((await salon.seen()).arrived_at).toBeNull();
    const [line] = await salon.history();
    expect(line?.changes).toContainEqual({ field: 'arrived_at', from: arrived_at, to: null });
    expect((await salon.edit({ arrived: true, appointment_date: MONDAY })).status).toBe(200);
    expect((await salon.seen()).arrived_at).toEqual(expect.any(String));
  });

  it.each(['cancelled', 'no_show'])('entering %s clears it, and it can’t be set then', async (status) => {
    const salon = await salonWithDesk(world);
    await salon.edit({ arrived: true });
    await salon.setStatus(salon.id, status);
    expect((await salon.seen()).arrived_at).toBeNull();
    const refused = await salon.edit({ arrived: true });
    expect([refused.status, refused.body.reasons]).toEqual([
      422,
      { arrived: [{ reason: 'not_in_this_status' }] },
    ]);
    await salon.setStatus(salon.id, 'scheduled');
    expect((await salon.seen()).arrived_at).toBeNull();
  });

  it('422 for what is neither true nor false; integrators don’t set it', async () => {
    const salon = await salonWithDesk(world);
    for (const arrived of [null, 'yes', 1, [], {}])
      expect([arrived, Object.keys((await salon.edit({ arrived })).body.errors)]).toEqual([
        arrived,
        ['arrived'],
      ]);
    await salon.change(salon.id, { arrived: true });
    expect((await salon.seen()).arrived_at).toBeNull();
  });

  it('404 for another tenant’s appointment', async () => {
    const salon = await salonWithDesk(world);
    const others = asOperator(world, (await openSalon(world)).tenantId);
    expect((await others('PATCH', `/appointments/${salon.id}`, { arrived: true })).status).toBe(404);
    expect((await salon.seen()).arrived_at).toBeNull();
  });
});

describe('the reason of a cancellation', () => {
  it('is kept with it, for the pages alone', async () => {
    const salon = await salonWithDesk(world);
    const { body } = await salon.edit({ status: 'cancelled', cancellation_reason: 'Flu' });
    expect(body.data).not.toHaveProperty('cancellation_reason');
    expect((await salon.seen()).cancellation_reason).toBe('Flu');
    const [, cancelled] = await world.events(salon.tenantId);
    expect([cancelled?.type, cancelled?.data]).toEqual(['appointment.cancelled', await salon.shown()]);
    expect(await salon.shown()).not.toHaveProperty('cancellation_reason');
  });

  it('alone is no change of the record, but one of the day', async () => {
    const salon = await salonWithDesk(world);
    await salon.cancel(salon.id);
    const [before, record] = [await salon.dayEtag(), await salon.shown()];
    const { headers } = await salon.edit({ cancellation_reason: 'Flu' });
    expect([headers.etag, await salon.shown()]).toEqual(['"2"', record]);
    expect((await salon.seen()).cancellation_reason).toBe('Flu');
    expect(await salon.dayEtag()).not.toBe(before);
    await salon.edit({ cancellation_reason: '' });
    expect((await salon.seen()).cancellation_reason).toBeNull();
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it('is cleared when the appointment is restored, and refused of any other status', async () => {
    const salon = await salonWithDesk(world);
    const refused = await salon.edit({ cancellation_reason: 'Flu' });
    expect([refused.status, refused.body.reasons]).toEqual([
      422,
      { cancellation_reason: [{ reason: 'not_in_this_status' }] },
    ]);
    await salon.edit({ status: 'cancelled', cancellation_reason: 'Flu' });
    await salon.setStatus(salon.id, 'scheduled');
    await salon.cancel(salon.id);
    expect((await salon.seen()).cancellation_reason).toBeNull();
  });

  it.each([7, ['Flu'], 'x'.repeat(201), 'a\0b'])('422: %j', async (cancellation_reason) => {
    const salon = await salonWithDesk(world);
    const { status, body } = await salon.edit({ status: 'cancelled', cancellation_reason });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['cancellation_reason']]);
    expect(await salon.shown()).toEqual(salon.appointment);
  });
});

describe('what a process of the release before leaves behind', () => {
  it('an arrival or a reason of another status is shown to nobody', async () => {
    const salon = await salonWithDesk(world);
    await salon.edit({ arrived: true });
    const at = 'where tenant_id = $tenantId';
    await world.sql(
      salon.tenantId,
      `update appointments set status = 'cancelled', cancelled_at = now(), version = version + 1 ${at}`,
    );
    expect((await salon.seen()).arrived_at).toBeNull();
    await salon.edit({ cancellation_reason: 'Flu' });
    await world.sql(
      salon.tenantId,
      `update appointments set status = 'scheduled', cancelled_at = null, version = version + 1 ${at}`,
    );
    expect((await salon.seen()).cancellation_reason).toBeNull();
  });
});
