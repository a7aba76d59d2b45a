import { Client } from 'pg';
import { everyDay, MONDAY, NINE_TO_FIVE } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

/** Number of statements that reach PostgreSQL while the work runs. */
async function queriesOf(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

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
    book,
    slots: () => world.api(tenantId, 'GET', `/appointments/slots?date=${MONDAY}&service_id=${service_id}`),
    staff: () => world.api(tenantId, 'GET', '/staff'),
  };
}

describe('the number of queries', () => {
  it('does not grow with the number of staff', async () => {
    const small = await businessWith(2);
    const large = await businessWith(40);
    expect(await queriesOf(large.slots)).toBe(await queriesOf(small.slots));
    expect(await queriesOf(large.staff)).toBe(await queriesOf(small.staff));
    expect(await queriesOf(large.book)).toBe(await queriesOf(small.book));
  });

  it('is two for slots, and at most three for the list of staff', async () => {
    const business = await businessWith(5);
    expect(await queriesOf(business.slots)).toBe(2);
    expect(await queriesOf(business.staff)).toBeLessThanOrEqual(3);
  });
});
