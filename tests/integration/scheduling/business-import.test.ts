import { type BusinessDocument, businessDocument, WEEKDAYS } from '@frontdesk/contracts';
import fc from 'fast-check';
import { asOperator } from './as-operator.ts';
import { countQueries } from './count-queries.ts';
import { everyDay, NINE_TO_FIVE, openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

async function exported(tenantId: number): Promise<BusinessDocument> {
  const { status, body } = await asOperator(world, tenantId)('GET', '/business');
  expect(status).toBe(200);
  return body.data;
}

async function imported(tenantId: number, document: object) {
  const { status, body } = await world.importBusiness(tenantId, document);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

/** Every version that an import could raise. */
const versionsOf = (tenantId: number): Promise<{ version: number }[]> =>
  world.sql(
    tenantId,
    `select 'business' as kind, 0 as id, version from booking_settings where tenant_id = $1
     union all select 'service', id, version from services where tenant_id = $1
     union all select 'staff', id, version from staff where tenant_id = $1
     order by kind, id`,
  );

const timeOffIds = (tenantId: number) =>
  world.sql(tenantId, 'select id from time_off where tenant_id = $1 order by id');

const FULL = {
  settings: {
    ...{ booking_policy: 'slots_only', slot_step_minutes: 10 },
    ...{ minimum_notice_minutes: 60, horizon_days: 90 },
  },
  hours: { monday: NINE_TO_FIVE },
  exceptions: [{ date: '2031-12-24', hours: [{ start: '09:00', end: '12:00' }], note: 'Short' }],
  time_off: [{ start: '2031-12-25T00:00', end: '2031-12-27T00:00', note: 'Christmas' }],
  services: [
    {
      ...{ name: 'Wash', description: 'Warm', duration_minutes: 20, price: 12.5 },
      ...{ buffer_before_minutes: 5, buffer_after_minutes: 10, is_active: true },
    },
    {
      ...{ name: 'Cut', description: null, duration_minutes: 30, price: 0 },
      ...{ buffer_before_minutes: 0, buffer_after_minutes: 0, is_active: false },
    },
  ],
  staff: [
    {
      ...{ name: 'Zoe', specialties: ['b', 'a'], services: ['Wash', 'Cut'], is_active: false },
      hours: { tuesday: [...NINE_TO_FIVE, { start: '20:00', end: '24:00' }] },
      exceptions: [{ date: '2031-01-01', hours: [], note: null }],
      time_off: [{ start: '2031-08-01T12:00', end: '2031-08-01T13:30', note: null }],
    },
    {
      ...{ name: 'Anna', specialties: [], services: [], is_active: true },
      ...{ hours: {}, exceptions: [], time_off: [] },
    },
  ],
};

describe('a business as one document', () => {
  it('holds everything, in the order in which it was made, inactive records too', async () => {
    const tenantId = world.newTenant();
    const { services, staff } = await imported(tenantId, FULL);
    expect(services.map(({ name }: { name: string }) => name)).toEqual(['Wash', 'Cut']);
    expect(staff.map(({ name }: { name: string }) => name)).toEqual(['Zoe', 'Anna']);
    expect(await exported(tenantId)).toEqual(FULL);
  });

  it('of a business that nobody has set up yet is one that sets up nothing', async () => {
    const [source, copy] = [world.newTenant(), world.newTenant()];
    const document = await exported(source);
    expect(document).toMatchObject({ hours: {}, exceptions: [], time_off: [], services: [], staff: [] });
    await imported(copy, document);
    expect(await exported(copy)).toEqual(document);
  });

  it('leaves out what is deleted, and who performs it is none the worse', async () => {
    const { tenantId, haircut, ben } = await openSalon(world);
    const send = asOperator(world, tenantId);
    await send('DELETE', `/services/${haircut}`);
    await send('DELETE', `/staff/${ben}`);
    const { services, staff } = await exported(tenantId);
    expect(services.map(({ name }) => name)).toEqual(['Beard trim']);
    expect(staff).toMatchObject([{ name: 'Anna', services: ['Beard trim'] }]);
    await imported(tenantId, { staff: [{ name: 'Ben', services: [] }] });
    expect((await exported(tenantId)).staff.map(({ name }) => name)).toEqual(['Anna', 'Ben']);
  });

  it('what is left out of it stays; lists that are given replace', async () => {
    const tenantId = world.newTenant();
    await imported(tenantId, FULL);
    await imported(tenantId, {});
    expect(await exported(tenantId)).toEqual(FULL);

    const [zoe, anna] = FULL.staff;
    await imported(tenantId, {
      settings: { horizon_days: null },
      time_off: [],
      staff: [
        { name: 'Zoe', services: ['Cut'], exceptions: [] },
        { name: 'Anna', services: [], hours: { friday: NINE_TO_FIVE } },
      ],
    });
    expect(await exported(tenantId)).toEqual({
      ...FULL,
      settings: { ...FULL.settings, horizon_days: null },
      time_off: [],
      staff: [
        { ...zoe, specialties: [], services: ['Cut'], is_active: true, exceptions: [] },
        { ...anna, hours: { friday: NINE_TO_FIVE } },
      ],
    });
  });

  it('breaks are taken out of hours; what is exported are spans', async () => {
    const tenantId = world.newTenant();
    const breaks = { monday: [{ start: '12:00', end: '13:00' }] };
    const hours = { monday: NINE_TO_FIVE };
    await imported(tenantId, { hours, breaks, staff: [{ name: 'Anna', services: [], hours, breaks }] });
    const spans = {
      monday: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '17:00' },
      ],
    };
    expect(await exported(tenantId)).toMatchObject({ hours: spans, staff: [{ hours: spans }] });
    const { status, body } = await world.importBusiness(tenantId, {
      breaks,
      staff: [{ name: 'Anna', services: [], breaks }],
    });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['breaks.monday', 'staff.0.breaks.monday']]);
  });

  it('raises the version of what it changes, and of nothing else', async () => {
    const tenantId = world.newTenant();
    await imported(tenantId, FULL);
    const before = await versionsOf(tenantId);
    const ids = await timeOffIds(tenantId);
    await imported(tenantId, FULL);
    expect(await versionsOf(tenantId)).toEqual(before);
    expect(await timeOffIds(tenantId)).toEqual(ids);

    const [wash, cut] = FULL.services;
    const [zoe, anna] = FULL.staff;
    const changed = {
      services: [{ ...wash, price: 13 }, cut],
      staff: [
        zoe,
        { ...anna, time_off: [{ start: '2031-08-01T00:00', end: '2031-08-02T00:00', note: null }] },
      ],
    };
    await imported(tenantId, changed);
    const grown = (await versionsOf(tenantId)).map(
      ({ version }, index) => version - (before[index]?.version ?? 0),
    );
    expect(grown).toEqual([0, 1, 0, 0, 1]);
  });

  it('deactivating by it keeps what is booked', async () => {
    const { tenantId, book, anna } = await openSalon(world);
    const booked = (await book({ staff_id: anna })).body.data;
    const services = [{ name: 'Haircut', duration_minutes: 60, price: 45.5, is_active: false }];
    await imported(tenantId, { services, staff: [{ name: 'Anna', services: [], is_active: false }] });
    const { body } = await asOperator(world, tenantId)('GET', `/staff/${anna}`);
    expect(body.data).toMatchObject({ is_active: false, coming_appointments: 1 });
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
  });

  it('deactivating by it while ten are booking: none is booked once it is done', async () => {
    const { tenantId, book, anna } = await openSalon(world);
    const bookings = Array.from({ length: 10 }, (_, index) =>
      book({ staff_id: anna, appointment_date: `2031-07-${index + 10}` }),
    );
    await Promise.race(bookings);
    await imported(tenantId, { staff: [{ name: 'Anna', services: ['Haircut'], is_active: false }] });
    const send = asOperator(world, tenantId);
    const { coming_appointments } = (await send('GET', `/staff/${anna}`)).body.data;
    const answers = await Promise.all(bookings);
    expect(coming_appointments).toBe(answers.filter(({ status }) => status === 201).length);
    expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
  });

  it('of two imports at once each is done as a whole', async () => {
    const tenantId = world.newTenant();
    const documents = ['A', 'B'].map((name) => ({
      ...FULL,
      staff: FULL.staff.map((member) => ({ ...member, specialties: [name] })),
      services: FULL.services.map((service) => ({ ...service, description: name })),
    }));
    await Promise.all([...documents, ...documents].map((document) => imported(tenantId, document)));
    expect(documents).toContainEqual(await exported(tenantId));
  });

  it('takes as many statements for many records as for few, to import, to import again and to export', async () => {
    const countsOf = async (size: number) => {
      const tenantId = world.newTenant();
      await asOperator(world, tenantId)('GET', '/business');
      const services = Array.from({ length: size }, (_, index) => ({
        ...{ name: `Service ${index}`, duration_minutes: 30, price: 10 },
      }));
      const staff = services.map(({ name }) => ({ ...FULL.staff[0], name, services: [name] }));
      const inactive = staff.map((member) => ({ ...member, services: [], is_active: false, time_off: [] }));
      return [
        await countQueries(() => imported(tenantId, { services, staff })),
        await countQueries(() => imported(tenantId, { staff: inactive })),
        await countQueries(() => exported(tenantId)),
      ];
    };
    expect(await countsOf(60)).toEqual(await countsOf(2));
  });

  it('of five hundred members of staff with full calendars is taken, though it is larger than other bodies may be', async () => {
    const [tenantId, copy] = [world.newTenant(), world.newTenant()];
    const document = {
      services: FULL.services,
      staff: Array.from({ length: 500 }, (_, index) => ({
        ...{ name: `Staff ${index}`, services: ['Wash', 'Cut'], hours: everyDay(NINE_TO_FIVE) },
        exceptions: Array.from({ length: 20 }, (_, day) => ({
          ...{ date: `2031-12-${day + 10}`, hours: NINE_TO_FIVE, note: 'Short day' },
        })),
        time_off: Array.from({ length: 20 }, (_, day) => ({
          ...{ start: `2032-01-${day + 10}T09:00`, end: `2032-01-${day + 10}T17:00` },
          note: `Away ${day}`,
        })),
      })),
    };
    expect(JSON.stringify(document).length).toBeGreaterThan(1024 * 1024);
    await imported(tenantId, document);
    const all = await exported(tenantId);
    expect(all.staff).toHaveLength(500);
    await imported(copy, all);
    expect(await exported(copy)).toEqual(all);
  });

  it('comes back from an empty business as it was, whatever it says, and a second time it changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (document) => {
        const [source, copy] = [world.newTenant(), world.newTenant()];
        await imported(source, document);
        const first = await exported(source);
        expect(first).toMatchObject(asExported(businessDocument.parse(document)));
        await imported(copy, first);
        expect(await exported(copy)).toEqual(first);
        const versions = await versionsOf(copy);
        await imported(copy, first);
        expect(await versionsOf(copy)).toEqual(versions);
        expect(await exported(copy)).toEqual(first);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

/** What an export shows of a document, as far as it can be told without knowing how. */
const asExported = (document: BusinessDocument) => ({
  services: document.services.map(({ description, ...service }) => ({ ...service, description })),
  staff: document.staff.map(({ name, specialties, is_active }) => ({ name, specialties, is_active })),
});

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Spans of one day: an even number of distinct minutes, two by two; some touch. */
const daySpans = fc
  .uniqueArray(fc.integer({ min: 0, max: 1_440 }), { maxLength: 6 })
  .chain((minutes) => fc.tuple(fc.constant(minutes.toSorted((a, b) => a - b)), fc.boolean()))
  .map(([minutes, touching]) => {
    const step = touching ? 1 : 2;
    return minutes
      .map((start, index) => ({ start, end: minutes[index + 1] }))
      .filter((span, index) => span.end !== undefined && index % step === 0)
      .map(({ start, end }) => ({ start: clock(start), end: clock(end as number) }));
  });

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((value) => value.trim() !== '' && !value.includes('\0'));
const note = fc.option(text);
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const moment = fc
  .tuple(date, fc.integer({ min: 0, max: 1_439 }))
  .map(([day, minute]) => `${day}T${clock(minute)}`);

const calendar = {
  hours: fc.dictionary(fc.constantFrom(...WEEKDAYS), daySpans),
  exceptions: fc.uniqueArray(fc.record({ date, hours: daySpans, note }), {
    selector: (exception) => exception.date,
    maxLength: 4,
  }),
  time_off: fc.array(
    fc
      .record({ start: moment, end: moment, note })
      .filter(({ start, end }) => start !== end)
      .map(({ start, end, note: reason }) =>
        start < end ? { start, end, note: reason } : { start: end, end: start, note: reason },
      ),
    { maxLength: 4 },
  ),
};

const services = fc.uniqueArray(
  fc.record({
    name: text,
    description: fc.option(text),
    duration_minutes: fc.integer({ min: 1, max: 1_440 }),
    price: fc.integer({ min: 0, max: 100_000_000 }).map((minor) => minor / 100),
    buffer_before_minutes: fc.integer({ min: 0, max: 1_440 }),
    buffer_after_minutes: fc.integer({ min: 0, max: 1_440 }),
    is_active: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
);

const documents = services.chain((offered) =>
  fc.record(
    {
      settings: fc.record(
        {
          booking_policy: fc.constantFrom('open', 'slots_only'),
          slot_step_minutes: fc.integer({ min: 1, max: 1_440 }),
          minimum_notice_minutes: fc.integer({ min: 0, max: 525_600 }),
          horizon_days: fc.option(fc.integer({ min: 1, max: 3_650 })),
        },
        { requiredKeys: [] },
      ),
      ...calendar,
      services: fc.constant(offered),
      staff: fc.uniqueArray(
        fc.record(
          {
            name: text,
            specialties: fc.array(text, { maxLength: 3 }),
            services: fc.shuffledSubarray(offered.map(({ name }) => name)),
            is_active: fc.boolean(),
            ...calendar,
          },
          { requiredKeys: ['name', 'services'] },
        ),
        { selector: ({ name }) => name, maxLength: 5 },
      ),
    },
    { requiredKeys: ['services'] },
  ),
);
