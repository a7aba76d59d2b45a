import { atOnce, statusCounts, withStatus } from '../answers.ts';
import { asOperator, salonToRun } from '../as-operator.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const CUT = { name: 'Cut', duration_minutes: 30, price: 45.5 };
const TAKEN = { name: ['The name has already been taken.'] };

describe('POST /services', () => {
  it('201 with the record, its ETag and where it is; the public API offers it', async () => {
    const tenantId = world.newTenant();
    const send = asOperator(world, tenantId);
    const { status, headers, body } = await send('POST', '/services', { ...CUT, buffer_after_minutes: 10 });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: 'Cut',
      description: null,
      duration_minutes: 30,
      price: 45.5,
      currency: 'EUR',
      buffer_before_minutes: 0,
      buffer_after_minutes: 10,
      is_active: true,
      category: null,
      coming_appointments: 0,
    });
    expect(headers.location).toBe(`/internal/tenants/${tenantId}/services/${body.data.id}`);
    const shown = await send('GET', `/services/${body.data.id}`);
    expect([shown.headers.etag, shown.body]).toEqual([headers.etag, body]);
    expect((await send('GET', '/services')).body.data).toEqual([body.data]);
    expect((await world.api(tenantId, 'GET', `/services/${body.data.id}`)).status).toBe(200);
  });

  it('422 for nine of ten at once with one name; one is stored', async () => {
    const send = asOperator(world, world.newTenant());
    const answers = await atOnce(10, () => send('POST', '/services', CUT));
    expect(statusCounts(answers)).toEqual({ 201: 1, 422: 9 });
    for (const { body } of withStatus(answers, 422)) expect(body.errors).toEqual(TAKEN);
    expect((await send('GET', '/services')).body.data).toHaveLength(1);
  });

  it('with an Idempotency-Key once, however often it is sent, also where it is refused', async () => {
    // None of them waits for too long, however long that takes.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const send = asOperator(world, world.newTenant());
    const post = (key: string) => send('POST', '/services', CUT, { 'idempotency-key': key });
    const answers = await Promise.all([post('a'), post('a'), post('a')]);
    expect(statusCounts(answers)).toEqual({ 201: 3 });
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const refused = [await post('b'), await post('b')];
    expect(refused.map(({ status, body }) => [status, body.errors])).toEqual([
      [422, TAKEN],
      [422, TAKEN],
    ]);
    expect(refused[1]?.headers['idempotent-replayed']).toBe('true');
  });

  it.each([
    ['name', { name: ' ' }],
    ['price', { price: 45.555 }],
    ['price', { price: -1 }],
    ['duration_minutes', { duration_minutes: 0 }],
    ['buffer_before_minutes', { buffer_before_minutes: 1_441 }],
    ['is_active', { is_active: 'yes' }],
  ])('422 on %s: %j', async (field, fields) => {
    const send = asOperator(world, world.newTenant());
    const { status, body } = await send('POST', '/services', { ...CUT, ...fields });
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect((await send('GET', '/services')).body.data).toEqual([]);
  });

  it('422: there are as many as a business document holds', async () => {
    const tenantId = world.newTenant({ plan: 'enterprise' });
    const services = Array.from({ length: 500 }, (_, index) => ({ ...CUT, name: `Cut ${index}` }));
    await world.importBusiness(tenantId, { services });
    const { body } = await asOperator(world, tenantId)('POST', '/services', CUT);
    expect(body.errors).toEqual({ name: ['A business can have at most 500 services.'] });
    expect((await world.importBusiness(tenantId, { services: [CUT] })).body.errors).toHaveProperty(
      'services',
    );
  });
});

describe('PATCH /services/{id}', () => {
  it('changes what is named, and null clears the description; what is booked keeps its terms', async () => {
    const { send, haircut, book } = await salonToRun(world);
    const booked = (await book()).body.data;
    const patch = { price: 50, description: 'With wash', buffer_before_minutes: 5 };
    const { headers, body } = await send('PATCH', `/services/${haircut}`, patch);
    expect(headers.etag).toBe('"2"');
    expect(body.data).toMatchObject({
      ...patch,
      name: 'Haircut',
      duration_minutes: 60,
      coming_appointments: 1,
    });
    const cleared = await send('PATCH', `/services/${haircut}`, { description: null });
    expect(cleared.body.data).toEqual({ ...body.data, description: null });
    expect(booked.price).toBe(45.5);
  });

  it('sets and clears the category, which the public API doesn’t show', async () => {
    const { send, tenantId, haircut } = await salonToRun(world);
    const shown = async () => (await world.api(tenantId, 'GET', `/services/${haircut}`)).body.data;
    const before = await shown();
    const { body } = await send('PATCH', `/services/${haircut}`, { category: 'Hair' });
    expect(body.data.category).toBe('Hair');
    expect((await send('GET', '/services')).body.data).toContainEqual(body.data);
    expect(await shown()).toEqual(before);
    const cleared = await send('PATCH', `/services/${haircut}`, { category: null });
    expect(cleared.body.data.category).toBeNull();
    const created = await send('POST', '/services', { ...CUT, category: ' Hair ' });
    expect(created.body.data.category).toBe('Hair');
    const blank = await send('PATCH', `/services/${created.body.data.id}`, { category: ' ' });
    expect(blank.body.data.category).toBeNull();
    const tooLong = await send('PATCH', `/services/${haircut}`, { category: 'x'.repeat(65) });
    expect([tooLong.status, Object.keys(tooLong.body.errors)]).toEqual([422, ['category']]);
  });

  it('with who performs it, or nothing of both where one of them is gone', async () => {
    const { send, haircut, beardTrim, anna, ben } = await salonToRun(world);
    const performing = async () =>
      Object.fromEntries(
        (await send('GET', '/staff')).body.data.map(({ id, service_ids }: never) => [id, service_ids]),
      );
    expect(await performing()).toEqual({ [anna]: [haircut, beardTrim], [ben]: [haircut] });
    const etag = async (id: number) => (await send('GET', `/staff/${id}`)).headers.etag;
    const before = [await etag(anna), await etag(ben)];

    const swap = { add: [anna, ben], remove: [] };
    expect((await send('PATCH', `/services/${beardTrim}`, { performers: swap })).status).toBe(200);
    expect(await performing()).toEqual({ [anna]: [haircut, beardTrim], [ben]: [haircut, beardTrim] });
    // She performed it before.
    expect([(await etag(anna)) === before[0], (await etag(ben)) === before[1]]).toEqual([true, false]);

    await send('DELETE', `/staff/${ben}`);
    const removed = { name: 'Shave', performers: { add: [], remove: [anna, ben] } };
    expect((await send('PATCH', `/services/${beardTrim}`, removed)).status).toBe(200);
    expect(await performing()).toEqual({ [anna]: [haircut] });
    const gone = await send('PATCH', `/services/${beardTrim}`, {
      name: 'Trim',
      performers: { add: [anna, ben] },
    });
    expect([gone.status, Object.keys(gone.body.errors)]).toEqual([422, ['performers']]);
    expect([(await send('GET', `/services/${beardTrim}`)).body.data.name, await performing()]).toEqual([
      'Shave',
      { [anna]: [haircut] },
    ]);

    const added = await send('POST', '/services', { ...CUT, performers: { add: [anna] } });
    expect(await performing()).toEqual({ [anna]: [haircut, added.body.data.id] });
  });

  it('the same again is no new version', async () => {
    const { send, haircut } = await salonToRun(world);
    const { data } = (await send('GET', `/services/${haircut}`)).body;
    const { name, price, is_active, description } = data;
    for (const patch of [{}, { name, price, is_active, description }, { unknown: 1 }]) {
      const { status, headers, body } = await send('PATCH', `/services/${haircut}`, patch);
      expect([status, headers.etag, body.data]).toEqual([200, '"1"', data]);
    }
  });

  it('422 on a name that another bears, also where both are renamed at once', async () => {
    const { send, haircut, beardTrim } = await salonToRun(world);
    const taken = await send('PATCH', `/services/${haircut}`, { name: 'Beard trim' });
    expect([taken.status, taken.body.errors]).toEqual([422, TAKEN]);
    const answers = await Promise.all(
      [haircut, beardTrim].map((id) => send('PATCH', `/services/${id}`, { name: 'Shave' })),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 422: 1 });
  });

  it('412: another version than the one in If-Match, and nothing happens; so for DELETE', async () => {
    const { send, haircut } = await salonToRun(world);
    const stale = { 'if-match': '"9"' };
    expect((await send('PATCH', `/services/${haircut}`, { price: 1 }, stale)).status).toBe(412);
    expect((await send('DELETE', `/services/${haircut}`, undefined, stale)).status).toBe(412);
    const { headers, body } = await send('GET', `/services/${haircut}`);
    expect([headers.etag, body.data.price]).toEqual(['"1"', 45.5]);
    expect((await send('DELETE', `/services/${haircut}`, undefined, { 'if-match': '"1"' })).status).toBe(200);
  });

  it('a price is an amount of the tenant’s currency', async () => {
    const tenantId = world.newTenant({ currency: 'JPY' });
    const send = asOperator(world, tenantId);
    const { id } = (await send('POST', '/services', { ...CUT, price: 4_500 })).body.data;
    expect((await send('PATCH', `/services/${id}`, { price: 4_500.5 })).body.errors).toEqual({
      price: ['The price field must be an amount of JPY.'],
    });
  });

  it('deactivated it is offered to nobody, but listed here with the appointments that stay', async () => {
    const { send, haircut, book, tenantId } = await salonToRun(world);
    const booked = (await book()).body.data;
    const cancelled = (await book({ appointment_time: '14:00' })).body.data;
    await world.api(tenantId, 'DELETE', `/appointments/${cancelled.id}`);
    await book({ appointment_date: '2020-01-06' });
    const { body } = await send('PATCH', `/services/${haircut}`, { is_active: false });
    expect(body.data).toMatchObject({ is_active: false, coming_appointments: 1 });
    expect((await send('GET', '/services')).body.data).toContainEqual(body.data);
    expect((await world.api(tenantId, 'GET', `/services/${haircut}`)).status).toBe(404);
    expect((await book({ appointment_time: '12:00' })).body.errors).toHaveProperty('service_id');
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
    await send('PATCH', `/services/${haircut}`, { is_active: true });
    expect((await book({ appointment_time: '12:00' })).status).toBe(201);
  });
});

describe('DELETE /services/{id}', () => {
  it('200 with the appointments that stay; then it is gone for everyone, and its name is free', async () => {
    const { send, haircut, book, tenantId, anna } = await salonToRun(world);
    const booked = (await book({ staff_id: anna })).body.data;
    const { status, body } = await send('DELETE', `/services/${haircut}`);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id: haircut, is_active: false, coming_appointments: 1 }),
    ]);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await send(method, `/services/${haircut}`)).body.message).toBe('Service not found.');
    expect((await send('PATCH', `/services/${haircut}`, {})).status).toBe(404);
    expect((await send('GET', '/services')).body.data).toHaveLength(1);
    expect((await send('GET', `/staff/${anna}`)).body.data.service_ids).not.toContain(haircut);

    const kept = await world.api(tenantId, 'GET', `/appointments/${booked.id}`);
    expect(kept.body.data).toEqual(booked);
    const successor = await send('POST', '/services', { ...CUT, name: 'Haircut' });
    expect([successor.status, successor.body.data.coming_appointments]).toEqual([201, 0]);
  });

  it.each(['0', '-1', 'x', '999999999'])('404 for an id of %s', async (id) => {
    const { send } = await salonToRun(world);
    const { status, body } = await send('DELETE', `/services/${id}`);
    expect([status, body.message]).toEqual([404, 'Service not found.']);
  });
});
