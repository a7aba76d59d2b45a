import { MAX_APPOINTMENT_HISTORY } from '@frontdesk/contracts';
import { asOperator } from '../as-operator.ts';
import { sentStatements } from '../count-queries.ts';
import { openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { ADMIN_ID, salonWithDesk } from './desk-salon.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const KEY_ID = 17;
const BY_ADMIN = { role: 'admin', id: ADMIN_ID };
const BY_KEY = { role: 'integrator', id: KEY_ID };

/** An integrator with a key that is known. */
const byKey = (tenantId: number, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  world.send(
    'api',
    { issuer: 'gateway', role: 'integrator', tenantId, keyId: KEY_ID },
    {
      method,
      url: `/api/v1${path}`,
      body,
    },
  );

describe('GET /appointments/{id}/history', () => {
  it('says who has changed what, from what to what, the latest first and the booking last', async () => {
    const salon = await salonWithDesk(world);
    await byKey(salon.tenantId, 'PATCH', `/appointments/${salon.id}`, { appointment_time: '14:30' });
    await salon.edit({ staff_id: salon.ben, notes: 'Allergic', duration_minutes: 75, price: 50 });
    await salon.edit({ arrived: true });
    await salon.edit({ arrived: true });
    await byKey(salon.tenantId, 'PATCH', `/appointments/${salon.id}/status`, { status: 'no_show' });
    await salon.edit({ status: 'cancelled', cancellation_reason: 'Flu' });
    await salon.edit({ cancellation_reason: 'Cold' });

    const lines = await salon.history();
    const { arrived_at } = { arrived_at: expect.any(String) };
    expect(lines.map(({ by, changes }) => [by, changes])).toEqual([
      [BY_ADMIN, [{ field: 'cancellation_reason', from: null, to: null }]],
      [
        BY_ADMIN,
        [
          { field: 'status', from: 'no_show', to: 'cancelled' },
          { field: 'cancellation_reason', from: null, to: null },
        ],
      ],
      [
        BY_KEY,
        [
          { field: 'status', from: 'scheduled', to: 'no_show' },
          { field: 'arrived_at', from: arrived_at, to: null },
        ],
      ],
      [BY_ADMIN, [{ field: 'arrived_at', from: null, to: arrived_at }]],
      [
        BY_ADMIN,
        [
          { field: 'staff_id', from: salon.anna, to: salon.ben },
          { field: 'duration_minutes', from: 60, to: 75 },
          { field: 'price', from: 45.5, to: 50 },
          { field: 'notes', from: null, to: null },
        ],
      ],
      [BY_KEY, [{ field: 'starts_at', from: '2031-06-02T10:00:00+02:00', to: '2031-06-02T14:30:00+02:00' }]],
      [{ role: 'integrator', id: null }, []],
    ]);
    expect(lines.map(({ kind }) => kind)).toEqual([...Array(6).fill('changed'), 'booked']);
    expect(lines.at(-1)?.at).toBe(salon.appointment.created_at);
    const times = lines.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('names who has booked: an admin, a key, or nobody where an earlier release did', async () => {
    const salon = await salonWithDesk(world);
    const lastOf = async (id: number) =>
      (await salon.send('GET', `/appointments/${id}/history`)).body.data.at(-1).by;
    const booked = await salon.send('POST', '/appointments', salon.wish({ appointment_time: '12:00' }));
    expect(await lastOf(booked.body.data.id)).toEqual(BY_ADMIN);
    const byProgram = await byKey(
      salon.tenantId,
      'POST',
      '/appointments',
      salon.wish({ appointment_time: '14:00' }),
    );
    expect(await lastOf(byProgram.body.data.id)).toEqual(BY_KEY);
    await world.sql(
      salon.tenantId,
      'update appointments set booked_role = null, booked_by = null where tenant_id = $tenantId',
    );
    expect(await lastOf(salon.id)).toBeNull();
  });

  it('has nothing of what was refused, or changed nothing', async () => {
    const salon = await salonWithDesk(world);
    await salon.edit({ service_id: 999_999 });
    await salon.edit({ notes: salon.appointment.notes, arrived: false });
    await salon.edit({ staff_id: null });
    expect(await salon.history()).toHaveLength(1);
  });

  it('keeps the latest changes, and the booking', async () => {
    const salon = await salonWithDesk(world);
    const other = (await salon.send('POST', '/appointments', salon.wish({ appointment_time: '12:00' }))).body
      .data;
    await salon.send('PATCH', `/appointments/${other.id}`, { price: 5 });
    for (let n = 1; n <= MAX_APPOINTMENT_HISTORY + 3; n += 1) await salon.edit({ price: n });
    const lines = await salon.history();
    expect(lines).toHaveLength(MAX_APPOINTMENT_HISTORY + 1);
    expect([lines[0]?.changes[0]?.to, lines.at(-2)?.changes[0]?.to, lines.at(-1)?.kind]).toEqual([
      MAX_APPOINTMENT_HISTORY + 3,
      4,
      'booked',
    ]);
    expect((await salon.send('GET', `/appointments/${other.id}/history`)).body.data).toHaveLength(2);
  });

  it('404 for another tenant’s appointment, and for none', async () => {
    const salon = await salonWithDesk(world);
    const others = asOperator(world, (await openSalon(world)).tenantId);
    expect((await others('GET', `/appointments/${salon.id}/history`)).status).toBe(404);
    expect((await salon.send('GET', '/appointments/999999999/history')).status).toBe(404);
  });

  it('costs a booking no statement, and a change one that nobody waits for', async () => {
    const salon = await salonWithDesk(world);
    const booking = await sentStatements(() => salon.book({ appointment_time: '12:00' }));
    expect(booking.filter((name) => name.includes('history'))).toEqual([]);
    const change = await sentStatements(() => salon.edit({ notes: 'x' }));
    expect(change.filter((name) => name.includes('history'))).toEqual(['appointment_history_add']);
  });
});

describe('no-shows of the customer', () => {
  it('are counted in days and beside the appointment, of this customer alone', async () => {
    const salon = await salonWithDesk(world);
    const other = world.newCustomer(salon.tenantId);
    for (const [customer_id, appointment_date] of [
      [salon.customer, '2031-05-05'],
      [salon.customer, '2031-05-12'],
      [other, '2031-05-19'],
    ]) {
      const { body } = await salon.book({ customer_id, appointment_date });
      await salon.setStatus(body.data.id, 'no_show');
    }
    expect((await salon.seen()).customer_no_shows).toBe(2);
    const { body } = await salon.send('GET', '/weeks/2031-06-02');
    expect(body.data[0].columns[0].appointments).toMatchObject([{ id: salon.id, customer_no_shows: 2 }]);
    await salon.setStatus(salon.id, 'no_show');
    expect((await salon.seen()).customer_no_shows).toBe(3);
  });
});
