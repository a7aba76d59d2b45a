import { everyDay, NINE_TO_FIVE, openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('GET /services', () => {
  it('200: the active ones with price and currency; single view the same', async () => {
    const salon = await openSalon(world);
    const { body } = await world.api(salon.tenantId, 'GET', '/services');
    expect(body.data).toContainEqual({
      id: salon.haircut,
      name: 'Haircut',
      description: null,
      duration_minutes: 60,
      price: 45.5,
      currency: 'EUR',
    });
    expect(Object.keys(body)).toEqual(['success', 'data']);
    const one = await world.api(salon.tenantId, 'GET', `/services/${salon.haircut}`);
    expect(one.headers.etag).toBe('"1"');
    expect(body.data).toContainEqual(one.body.data);

    await world.sql(
      salon.tenantId,
      `update services set is_active = false where tenant_id = $1 and name = 'Haircut'`,
    );
    expect(idsOf((await world.api(salon.tenantId, 'GET', '/services')).body.data)).toEqual([salon.beardTrim]);
    const gone = await world.api(salon.tenantId, 'GET', `/services/${salon.haircut}`);
    expect([gone.status, gone.body.message]).toEqual([404, 'Service not found.']);
  });

  it.each([
    ['JPY', 4_500],
    ['KWD', 4.575],
  ])('prices in %s keep its decimal places', async (currency, price) => {
    const tenantId = world.newTenant({ currency });
    await world.importBusiness(tenantId, { services: [{ name: 'Cut', duration_minutes: 30, price }] });
    const { body } = await world.api(tenantId, 'GET', '/services');
    expect(body.data[0]).toMatchObject({ price, currency });
  });
});

describe('PUT /internal/tenants/{id}/business', () => {
  it('a second import changes by name, keeps ids, and replaces hours and what is performed', async () => {
    const salon = await openSalon(world);
    const { status, body } = await world.importBusiness(salon.tenantId, {
      services: [{ name: 'Haircut', duration_minutes: 45, price: 50, description: 'With wash' }],
      staff: [
        {
          name: 'Ben',
          specialties: ['fades', 'beards'],
          services: ['Beard trim'],
          hours: { tuesday: [{ start: '20:00', end: '24:00' }] },
        },
      ],
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      services: [{ id: salon.haircut, name: 'Haircut' }],
      staff: [{ id: salon.ben, name: 'Ben' }],
    });
    const haircut = await world.api(salon.tenantId, 'GET', `/services/${salon.haircut}`);
    expect(haircut.body.data).toMatchObject({ duration_minutes: 45, price: 50, description: 'With wash' });
    expect(haircut.headers.etag).toBe('"2"');
    const ben = (await world.api(salon.tenantId, 'GET', `/staff/${salon.ben}`)).body.data;
    expect(ben.specialties).toEqual(['fades', 'beards']);
    expect(ben.working_hours).toEqual({ ...everyDay([]), tuesday: [{ start: '20:00', end: '24:00' }] });
    expect((await salon.book({ staff_id: salon.ben })).body.errors).toHaveProperty('staff_id');
    expect(idsOf((await world.api(salon.tenantId, 'GET', '/staff')).body.data)).toContain(salon.anna);
  });

  it('422 naming every place that does not fit, and nothing is stored', async () => {
    const tenantId = world.newTenant();
    const { status, body } = await world.importBusiness(tenantId, {
      services: [
        { name: 'Cut', duration_minutes: 30, price: 10.001 },
        { name: 'Cut', duration_minutes: 30, price: 10 },
      ],
      staff: [{ name: 'Anna', services: ['Dye'], hours: {} }],
    });
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      'services.0.price': ['The services.0.price field must be an amount of EUR.'],
      'services.1.name': ['The services.1.name field has a duplicate value.'],
      'staff.0.services': ['The staff.0.services field must hold only names of services of this business.'],
    });
    expect((await world.api(tenantId, 'GET', '/services')).body.data).toEqual([]);
  });

  it('ten at once leave one business', async () => {
    const tenantId = world.newTenant();
    const document = {
      services: [{ name: 'Cut', duration_minutes: 30, price: 10 }],
      staff: [{ name: 'Anna', services: ['Cut'], hours: everyDay(NINE_TO_FIVE) }],
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.importBusiness(tenantId, document)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(1);
    expect((await world.api(tenantId, 'GET', '/staff')).body.data).toHaveLength(1);
  });
});
