import { freePort } from '../../../support/index.ts';
import { ALL_DAY, everyDay, MONDAY, openPractice, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

describe('POST /appointments refuses, with 422,', () => {
  it.each([
    ['no customer', { customer_id: undefined }, 'customer_id', 'The customer_id field is required.'],
    ['no service', { service_id: null }, 'service_id', 'The service_id field is required.'],
    [
      'no date',
      { appointment_date: undefined },
      'appointment_date',
      'The appointment_date field is required.',
    ],
    [
      'no time',
      { appointment_time: undefined },
      'appointment_time',
      'The appointment_time field is required.',
    ],
    ['an id in quotes', { customer_id: '7' }, 'customer_id', 'The customer_id field must be an integer.'],
    ['a broken id', { service_id: 1.5 }, 'service_id', 'The service_id field must be an integer.'],
    ['an id of zero', { staff_id: 0 }, 'staff_id', 'The staff_id field must be a positive integer.'],
    [
      'a date in another order',
      { appointment_date: '02.06.2031' },
      'appointment_date',
      'The appointment_date field must be a date in the format Y-m-d.',
    ],
    [
      'a 30th of February',
      { appointment_date: '2031-02-30' },
      'appointment_date',
      'The appointment_date field must be a date that exists.',
    ],
    [
      'a year zero',
      { appointment_date: '0000-01-01' },
      'appointment_date',
      'The appointment_date field must be a date that exists.',
    ],
    [
      'a time with seconds',
      { appointment_time: '10:00:00' },
      'appointment_time',
      'The appointment_time field must be a time in the format H:i.',
    ],
    [
      'a 25th hour',
      { appointment_time: '24:00' },
      'appointment_time',
      'The appointment_time field must be a time in the format H:i.',
    ],
    [
      'a wall time that spring skips',
      { appointment_date: '2031-03-30', appointment_time: '02:30' },
      'appointment_time',
      'The appointment_time field does not exist on this date in Europe/Berlin.',
    ],
    ['notes that are no text', { notes: 5 }, 'notes', 'The notes field must be a string.'],
    ['notes with NUL', { notes: 'a\0b' }, 'notes', 'The notes field must not contain NUL characters.'],
    [
      'too long a source',
      { source: 'x'.repeat(65) },
      'source',
      'The source field must be at most 64 characters.',
    ],
    ['an unknown customer', { customer_id: 123 }, 'customer_id', 'The selected customer_id is invalid.'],
    ['an unknown service', { service_id: 999_999 }, 'service_id', 'The selected service_id is invalid.'],
    ['unknown staff', { staff_id: 999_999 }, 'staff_id', 'The selected staff_id is invalid.'],
  ])('%s', async (_name, fields, field, message) => {
    const salon = await openSalon(world);
    const { status, body } = await salon.book(fields);
    expect(status).toBe(422);
    expect(body).toMatchObject({ success: false, code: 'validation_failed', errors: { [field]: [message] } });
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(await salon.eventTypes()).toEqual([]);
  });

  it('staff who do not perform the service', async () => {
    const salon = await openSalon(world);
    const { body } = await salon.book({ service_id: salon.beardTrim, staff_id: salon.ben });
    expect(body.errors).toEqual({ staff_id: ['The selected staff_id does not perform this service.'] });
  });

  it('services and staff that are no longer active', async () => {
    const salon = await openSalon(world);
    await world.sql(
      salon.tenantId,
      `update staff set is_active = false where tenant_id = $tenantId and name = 'Ben'`,
    );
    await world.sql(
      salon.tenantId,
      `update services set is_active = false where tenant_id = $tenantId and name = 'Beard trim'`,
    );
    expect((await salon.book({ staff_id: salon.ben })).body.errors).toHaveProperty('staff_id');
    expect((await salon.book({ service_id: salon.beardTrim })).body.errors).toHaveProperty('service_id');
  });

  it('everything of a tenant that has no business yet', async () => {
    const tenantId = world.newTenant();
    const { body } = await world.api(tenantId, 'POST', '/appointments', {
      customer_id: world.newCustomer(tenantId),
      service_id: 1,
      appointment_date: MONDAY,
      appointment_time: '10:00',
    });
    expect(body.errors).toEqual({ service_id: ['The selected service_id is invalid.'] });
  });
});

describe('the dates at both ends of what can be booked', () => {
  it.each(['1900-01-01', '2999-12-31'])('%s can be booked, shown and listed', async (appointment_date) => {
    const salon = await openSalon(world);
    const { status, body } = await salon.book({ appointment_date, appointment_time: '23:45' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ appointment_date, appointment_time: '23:45' });
    const listed = await world.api(salon.tenantId, 'GET', `/appointments?date=${appointment_date}`);
    expect(listed.body.data).toEqual([body.data]);
    expect((await salon.slots({ date: appointment_date })).status).toBe(200);
  });

  it('alternatives to the last moment are none that could not be booked', async () => {
    const practice = await openPractice(world, world.newTenant(), everyDay(ALL_DAY));
    const last = { appointment_date: '2999-12-31', appointment_time: '23:45' };
    expect((await practice.book(last)).status).toBe(201);
    const { status, body } = await practice.book(last);
    expect(status).toBe(409);
    expect(body.data.alternatives.at(-1).date).toBe('2999-12-31');
  });

  it.each(['0001-01-01', '1899-12-31', '3000-01-01', '9999-12-31'])('422 beyond: %s', async (date) => {
    const salon = await openSalon(world);
    const { id } = (await salon.book()).body.data;
    const errors = (field: string) => ({
      [field]: [`The ${field} field must be a date from 1900-01-01 to 2999-12-31.`],
    });
    expect((await salon.book({ appointment_date: date })).body.errors).toEqual(errors('appointment_date'));
    expect((await salon.change(id, { appointment_date: date })).body.errors).toEqual(
      errors('appointment_date'),
    );
    expect((await salon.slots({ date })).body.errors).toEqual(errors('date'));
  });
});

describe('a customer whom no event has brought', () => {
  it('is looked up in crm; a yes is cached, a no is not', async () => {
    const salon = await openSalon(world);
    const asked = () => world.neighbours.asked.filter((entry) => entry.startsWith(`${salon.tenantId}:`));
    await salon.book();
    await salon.book({ appointment_time: '12:00' });
    expect(asked()).toHaveLength(1);

    expect((await salon.book({ customer_id: 77 })).status).toBe(422);
    world.neighbours.customers.add(`${salon.tenantId}:77`);
    expect((await salon.book({ customer_id: 77, appointment_time: '14:00' })).status).toBe(201);
    expect(asked()).toHaveLength(3);
  });

  it('503 without a word about where crm would be, while it is away', async () => {
    const alone = await startScheduling({ crmUrl: `http://127.0.0.1:${await freePort()}` });
    try {
      const salon = await openSalon(alone);
      const { status, headers, body } = await salon.book();
      expect(status).toBe(503);
      expect(headers['retry-after']).toBeDefined();
      expect(body).toMatchObject({ success: false, code: 'service_unavailable' });
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    } finally {
      await alone.stop();
    }
  });
});
