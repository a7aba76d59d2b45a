import { countQueries } from './count-queries.ts';
import { everyDay, MONDAY, NINE_TO_FIVE } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

async function businessWith(staffCount: number) {
  const tenantId = world.newTenant();
  const { body } = await world.importBusiness(tenantId, {
    services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
    staff: Array.from({ length: staffCount }, (_, index) => ({
      name: `Staff ${index}`,
      services: ['Cut'],
      hours: everyDay(NINE_TO_FIVE),
    })),
  });
  const service_id: number = body.data.services[0].id;
  const booking = {
    customer_id: world.newCustomer(tenantId),
    service_id,
    appointment_date: MONDAY,
    appointment_time: '10:00',
  };
  const book = () => world.api(tenantId, 'POST', '/appointments', booking);
  await book();
  return {
    tenantId,
    book,
    month: () =>
      world.api(
        tenantId,
        'GET',
        `/appointments/slots?date=${MONDAY}&date_to=2031-07-02&service_id=${service_id}`,
      ),
    slots: () => world.api(tenantId, 'GET', `/appointments/slots?date=${MONDAY}&service_id=${service_id}`),
    staff: () => world.api(tenantId, 'GET', '/staff'),
  };
}

describe('the number of queries', () => {
  it('does not grow with the number of staff', async () => {
    const small = await businessWith(2);
    const large = await businessWith(40);
    expect(await countQueries(large.slots)).toBe(await countQueries(small.slots));
    expect(await countQueries(large.staff)).toBe(await countQueries(small.staff));
    expect(await countQueries(large.book)).toBe(await countQueries(small.book));
  });

  it('is two for slots, however many days, and at most four for the list of staff', async () => {
    const business = await businessWith(5);
    expect(await countQueries(business.slots)).toBe(2);
    expect(await countQueries(business.month)).toBe(2);
    expect(await countQueries(business.staff)).toBeLessThanOrEqual(2);
    const away = { start: '2020-01-01T00:00', end: '2999-01-01T00:00' };
    await world.importBusiness(business.tenantId, { time_off: [away] });
    const { body } = await business.staff();
    expect(body.data[0].next_available_slot).toBeNull();
    expect(await countQueries(business.staff)).toBe(4);
  });
});
