import { asOperator } from './as-operator.ts';
import { exported, FULL, imported } from './business-documents.ts';
import { countQueries, sentQueries } from './count-queries.ts';
import { everyDay, NINE_TO_FIVE, openBusinessOf, openSalon } from './salon.ts';
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
    // The tenant's profile is remembered for seconds, which may be over by now.
    const countOf = async (work: () => Promise<unknown>) =>
      (await sentQueries(work)).filter(({ name }) => name !== 'tenants_find').length;
    expect(await countOf(large.slots)).toBe(await countOf(small.slots));
    expect(await countOf(large.staff)).toBe(await countOf(small.staff));
    expect(await countOf(large.book)).toBe(await countOf(small.book));
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

  it('is eleven for a booking with a key and a staff member, whose calendar alone is read', async () => {
    const salon = await openSalon(world);
    // From now on the customer and the business's profile are known.
    expect((await salon.book({ staff_id: salon.ben })).status).toBe(201);
    const book = () => salon.book({ staff_id: salon.anna }, { 'idempotency-key': 'counted' });
    const sent = await sentQueries(async () => expect((await book()).status).toBe(201));
    const names = sent.map(({ name }) => name);
    // The relay's come in between.
    const ofBooking = names.slice(names.indexOf('begin'), names.indexOf('commit') + 1);
    expect(ofBooking.filter((name) => !name.startsWith('outbox_batch'))).toEqual([
      ...['begin', 'idempotency_lock', 'idempotency_find'],
      ...['customer_find', 'settings_share', 'catalogue_find'],
      'booking_insert',
      ...['outbox_insert', 'counts_insert', 'idempotency_store', 'commit'],
    ]);
    expect(sent.find(({ name }) => name === 'catalogue_find')?.values).toContain(salon.anna);
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
