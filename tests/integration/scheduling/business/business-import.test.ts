import { systemSql } from '@frontdesk/database';
import { eventually, lockWaits } from '../../../support/index.ts';
import { atOnce } from '../answers.ts';
import { asOperator } from '../as-operator.ts';
import { exported, FULL, imported, versionsOf } from '../business-documents.ts';
import { everyDay, NINE_TO_FIVE, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const timeOffIds = (tenantId: number) =>
  world.sql(tenantId, 'select id from time_off where tenant_id = $tenantId order by id');

const holdSettings = systemSql<never, { tenantId: number }>(
  'test_hold_settings',
  'select from booking_settings where tenant_id = $tenantId for update',
);

it('one business is imported at a time: the next one is read once the one before is done', async () => {
  const [first, second] = [world.newTenant(), world.newTenant()];
  for (const tenantId of [first, second]) await imported(world, tenantId, {});
  const ended: number[] = [];
  const importing = (tenantId: number) =>
    world.importBusiness(tenantId, { settings: { horizon_days: 7 } }).then((answer) => {
      ended.push(tenantId);
      return answer.status;
    });
  const statuses = await world.database.system.transaction(async (tx) => {
    await tx.run(holdSettings, { tenantId: first });
    const held = importing(first);
    await eventually(async () => expect((await lockWaits(world.database)).all).toBeGreaterThan(0));
    const next = importing(second);
    // Enough for an import that waits for nobody.
    for (let i = 0; i < 20; i += 1) await exported(world, second);
    expect([ended, (await exported(world, second)).settings?.horizon_days === 7]).toEqual([[], false]);
    return [held, next];
  });
  expect(await Promise.all(statuses)).toEqual([200, 200]);
  expect(ended).toEqual([first, second]);
});

describe('a business as one document', () => {
  it('holds everything, in the order in which it was made, inactive records too', async () => {
    const tenantId = world.newTenant();
    const { services, staff } = await imported(world, tenantId, FULL);
    expect(services.map(({ name }: { name: string }) => name)).toEqual(['Wash', 'Cut']);
    expect(staff.map(({ name }: { name: string }) => name)).toEqual(['Zoe', 'Anna']);
    expect(await exported(world, tenantId)).toEqual(FULL);
  });

  it('of a business that nobody has set up yet is one that sets up nothing', async () => {
    const [source, copy] = [world.newTenant(), world.newTenant()];
    const document = await exported(world, source);
    expect(document).toMatchObject({ hours: {}, exceptions: [], time_off: [], services: [], staff: [] });
    await imported(world, copy, document);
    expect(await exported(world, copy)).toEqual(document);
  });

  it('leaves out what is deleted, and who performs it is none the worse', async () => {
    const { tenantId, haircut, ben } = await openSalon(world);
    const send = asOperator(world, tenantId);
    await send('DELETE', `/services/${haircut}`);
    await send('DELETE', `/staff/${ben}`);
    const { services, staff } = await exported(world, tenantId);
    expect(services.map(({ name }) => name)).toEqual(['Beard trim']);
    expect(staff).toMatchObject([{ name: 'Anna', services: ['Beard trim'] }]);
    await imported(world, tenantId, { staff: [{ name: 'Ben', services: [] }] });
    expect((await exported(world, tenantId)).staff.map(({ name }) => name)).toEqual(['Anna', 'Ben']);
  });

  it('what is left out of it stays; lists that are given replace', async () => {
    const tenantId = world.newTenant();
    await imported(world, tenantId, FULL);
    await imported(world, tenantId, {});
    expect(await exported(world, tenantId)).toEqual(FULL);

    const [zoe, anna] = FULL.staff;
    await imported(world, tenantId, {
      settings: { horizon_days: null },
      time_off: [],
      staff: [
        { name: 'Zoe', services: ['Cut'], exceptions: [] },
        { name: 'Anna', services: [], hours: { friday: NINE_TO_FIVE } },
      ],
    });
    expect(await exported(world, tenantId)).toEqual({
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
    await imported(world, tenantId, {
      hours,
      breaks,
      staff: [{ name: 'Anna', services: [], hours, breaks }],
    });
    const spans = {
      monday: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '17:00' },
      ],
    };
    expect(await exported(world, tenantId)).toMatchObject({ hours: spans, staff: [{ hours: spans }] });
    const { status, body } = await world.importBusiness(tenantId, {
      breaks,
      staff: [{ name: 'Anna', services: [], breaks }],
    });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['breaks.monday', 'staff.0.breaks.monday']]);
  });

  it('raises the version of what it changes, and of nothing else', async () => {
    const tenantId = world.newTenant();
    await imported(world, tenantId, FULL);
    const before = await versionsOf(world, tenantId);
    const ids = await timeOffIds(tenantId);
    await imported(world, tenantId, FULL);
    expect(await versionsOf(world, tenantId)).toEqual(before);
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
    await imported(world, tenantId, changed);
    const grown = (await versionsOf(world, tenantId)).map(
      ({ version }, index) => version - (before[index]?.version ?? 0),
    );
    expect(grown).toEqual([0, 1, 0, 0, 1]);
  });

  it('deactivating by it keeps what is booked', async () => {
    const { tenantId, book, anna } = await openSalon(world);
    const booked = (await book({ staff_id: anna })).body.data;
    const services = [{ name: 'Haircut', duration_minutes: 60, price: 45.5, is_active: false }];
    await imported(world, tenantId, { services, staff: [{ name: 'Anna', services: [], is_active: false }] });
    const { body } = await asOperator(world, tenantId)('GET', `/staff/${anna}`);
    expect(body.data).toMatchObject({ is_active: false, coming_appointments: 1 });
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
  });

  it('keeps colours and categories that it doesn’t name, and null clears them', async () => {
    const tenantId = world.newTenant();
    await imported(world, tenantId, FULL);
    const without = {
      services: FULL.services.map((service) => ({ ...service, category: undefined })),
      staff: FULL.staff.map((member) => ({ ...member, color: undefined })),
    };
    const before = await versionsOf(world, tenantId);
    await imported(world, tenantId, without);
    expect(await exported(world, tenantId)).toEqual(FULL);
    expect(await versionsOf(world, tenantId)).toEqual(before);
    const cleared = {
      services: FULL.services.map((service) => ({ ...service, category: null })),
      staff: FULL.staff.map((member) => ({ ...member, color: null })),
    };
    await imported(world, tenantId, cleared);
    expect(await exported(world, tenantId)).toMatchObject(cleared);
  });

  it('of two imports at once each is done as a whole', async () => {
    const tenantId = world.newTenant();
    const documents = ['A', 'B'].map((name) => ({
      ...FULL,
      staff: FULL.staff.map((member) => ({ ...member, specialties: [name] })),
      services: FULL.services.map((service) => ({ ...service, description: name })),
    }));
    await Promise.all([...documents, ...documents].map((document) => imported(world, tenantId, document)));
    expect(documents).toContainEqual(await exported(world, tenantId));
  });

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
    const staff = (await world.api(salon.tenantId, 'GET', '/staff')).body.data;
    expect(staff).toContainEqual(expect.objectContaining({ id: salon.anna }));
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
    const answers = await atOnce(10, () => world.importBusiness(tenantId, document));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(1);
    expect((await world.api(tenantId, 'GET', '/staff')).body.data).toHaveLength(1);
  });
});
