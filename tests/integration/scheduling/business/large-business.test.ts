import { asOperator } from '../as-operator.ts';
import { exported, FULL, imported } from '../business-documents.ts';
import { countQueries, sentQueries, sentStatements } from '../count-queries.ts';
import { everyDay, MONDAY, NINE_TO_FIVE, openBusinessOf, openSalon, salonWithAppointment } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('a large business', () => {
  const DAY_MS = 86_400_000;

  /** So many staff who have nothing free for as long as anybody looks. */
  async function largeBusiness(staffCount: number) {
    const staff = Array.from({ length: staffCount }, (_, index) => ({
      name: `Staff ${index}`,
      services: ['Cut'],
      hours: everyDay(NINE_TO_FIVE),
    }));
    const services = [{ name: 'Cut', duration_minutes: 60, price: 10 }];
    const away = { start: '2020-01-01T00:00', end: '2999-01-01T00:00' };
    return openBusinessOf(world, { services, staff, time_off: [away] });
  }

  describe('a business of many staff', () => {
    it('is read in portions for its list of staff, which is whole', async () => {
      const { tenantId, staffIds } = await largeBusiness(80);
      let listed: { id: number }[] = [];
      const sent = await sentQueries(async () => {
        listed = (await world.api(tenantId, 'GET', '/staff')).body.data;
      });
      expect(listed.map(({ id }) => id)).toEqual(staffIds.toSorted((a, b) => a - b));
      const pages = sent.filter(({ name }) => name === 'staff_list');
      expect(pages).toHaveLength(2);
      const portions = sent.filter(({ name }) => name === 'calendars_find');
      expect(portions.length).toBeGreaterThan(5);
      for (const { values } of portions) {
        const [, from, to, ids] = values as [number, string, string, string];
        // The two days after the range are those on which a visit may end.
        const days = (Date.parse(to) - Date.parse(from)) / DAY_MS - 1;
        expect(ids.split(',').length * days).toBeLessThanOrEqual(1_000);
      }
    });

    it('is read in portions for the slots of several days, which are those of each day', async () => {
      const { slots } = await openBusinessOf(world, {
        services: [{ name: 'Cut', duration_minutes: 60, price: 10 }],
        settings: { slot_step_minutes: 60 },
        staff: Array.from({ length: 80 }, (_, index) => ({
          name: `Staff ${index}`,
          services: ['Cut'],
          hours: everyDay(NINE_TO_FIVE),
        })),
      });
      const days = Array.from({ length: 20 }, (_, n) =>
        new Date(Date.parse(MONDAY) + n * DAY_MS).toISOString(),
      );
      const dates = days.map((day) => day.slice(0, 10));
      let found: unknown[] = [];
      const sent = await sentStatements(async () => {
        found = (await slots({ date: MONDAY, date_to: dates.at(-1) })).body.data;
      });
      expect(sent.filter((name) => name === 'catalogue_find_with_busy')).toHaveLength(2);
      const each: unknown[] = [];
      for (const date of dates) each.push(...(await slots({ date })).body.data);
      expect(found).toEqual(each);
    });
  });

  describe('searches of one tenant', () => {
    it('come one after the other', async () => {
      const salon = await salonWithAppointment(world);
      const names = await sentStatements(async () => {
        const refused = Array.from({ length: 4 }, () => salon.book({ staff_id: salon.anna }));
        for (const { status } of await Promise.all(refused)) expect(status).toBe(409);
      });
      const searched = names.filter((name) => ['calendars_find', 'busy_find'].includes(name));
      expect(searched).toEqual(Array.from({ length: 4 }, () => ['calendars_find', 'busy_find']).flat());
    });
  });
});

describe('the number of queries', () => {
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

  it('is eleven for a booking with a key and a staff member, whose calendar alone is read', async () => {
    const salon = await openSalon(world);
    // From now on the customer and the business's profile are known.
    expect((await salon.book({ staff_id: salon.ben })).status).toBe(201);
    const book = () => salon.book({ staff_id: salon.anna }, { 'idempotency-key': 'counted' });
    const sent = await sentQueries(async () => expect((await book()).status).toBe(201));
    // The relay and the workers send theirs by other connections.
    const inserted = sent.find(({ name }) => name === 'booking_insert');
    const names = sent
      .filter(({ connection }) => connection === inserted?.connection)
      .map(({ name }) => name);
    expect(names.slice(names.indexOf('begin'), names.indexOf('commit') + 1)).toEqual([
      ...['begin', 'idempotency_lock', 'idempotency_find'],
      ...['customer_find_booker', 'settings_share', 'catalogue_find'],
      'booking_insert',
      ...['outbox_insert', 'appointments_count_created', 'idempotency_store', 'commit'],
    ]);
    expect(sent.find(({ name }) => name === 'catalogue_find')?.values).toContain(salon.anna);
  });

  it('is the same for a business of many records as of few, to import, to import again and to export', async () => {
    const countsOf = async (size: number) => {
      const tenantId = world.newTenant();
      await asOperator(world, tenantId)('GET', '/business');
      const services = Array.from({ length: size }, (_, index) => ({
        name: `Service ${index}`,
        duration_minutes: 30,
        price: 10,
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
