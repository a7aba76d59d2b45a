import { openSalon } from './salon.ts';
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
