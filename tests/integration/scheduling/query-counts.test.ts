import { asOperator } from './as-operator.ts';
import { exported, FULL, imported } from './business-documents.ts';
import { countQueries } from './count-queries.ts';
import { everyDay, NINE_TO_FIVE, openBusinessOf } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

async function businessWith(staffCount: number) {
  const { tenantId, book, slots } = await openBusinessOf(world, {
    services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
    staff: Array.from({ length: staffCount }, (_, index) => ({
      name: `Staff ${index}`,
      services: ['Cut'],
      hours: everyDay(NINE_TO_FIVE),
    })),
  });
  await book();
  return {
    tenantId,
    book: () => book(),
    slots: () => slots(),
    month: () => slots({ date_to: '2031-07-02' }),
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

  it('is one for slots of a day, two for several, and up to seven for the list of staff', async () => {
    const business = await businessWith(5);
    expect(await countQueries(business.slots)).toBe(1);
    expect(await countQueries(business.month)).toBe(2);
    expect(await countQueries(business.staff)).toBeLessThanOrEqual(2);
    const away = { start: '2020-01-01T00:00', end: '2999-01-01T00:00' };
    await world.importBusiness(business.tenantId, { time_off: [away] });
    const { body } = await business.staff();
    expect(body.data[0].next_available_slot).toBeNull();
    expect(await countQueries(business.staff)).toBeLessThanOrEqual(7);
  });

  it('is the same for a business of many records as of few, to import, to import again and to export', async () => {
    const countsOf = async (size: number) => {
      const tenantId = world.newTenant();
      await asOperator(world, tenantId)('GET', '/business');
      const services = Array.from({ length: size }, (_, index) => ({
        ...{ name: `Service ${index}`, duration_minutes: 30, price: 10 },
      }));
      const staff = services.map(({ name }) => ({ ...FULL.staff[0], name, services: [name] }));
      const inactive = staff.map((member) => ({ ...member, services: [], is_active: false, time_off: [] }));
      return [
        await countQueries(() => imported(world, tenantId, { services, staff })),
        await countQueries(() => imported(world, tenantId, { staff: inactive })),
        await countQueries(() => exported(world, tenantId)),
      ];
    };
    expect(await countsOf(60)).toEqual(await countsOf(2));
  });
});
