import { atOnce, statusCounts, withStatus } from '../answers.ts';
import { asOperator, salonToRun } from '../as-operator.ts';
import { sentStatements } from '../count-queries.ts';
import { everyDay, NINE_TO_FIVE, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const TAKEN = { name: ['The name has already been taken.'] };
const NOT_THEIRS = { service_ids: ['The service_ids field must hold only services of this business.'] };

describe('POST /staff', () => {
  it('201 with the record, its ETag and where it is; the business without hours, nobody is offered yet', async () => {
    const { send, tenantId, haircut, beardTrim } = await salonToRun(world);
    const created = await send('POST', '/staff', {
      name: 'Cem',
      specialties: ['fades', 'dyes'],
      service_ids: [beardTrim, haircut, beardTrim],
    });
    const { status, headers, body } = created;
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: 'Cem',
      specialties: ['fades', 'dyes'],
      service_ids: [haircut, beardTrim],
      is_active: true,
      follows_business_hours: true,
      coming_appointments: 0,
      color: null,
      picture_version: null,
    });
    expect(headers.location).toBe(`/internal/tenants/${tenantId}/staff/${body.data.id}`);
    const shown = await send('GET', `/staff/${body.data.id}`);
    expect([shown.headers.etag, shown.body]).toEqual([headers.etag, body]);
    expect((await send('GET', '/staff')).body.data).toContainEqual(body.data);
    const listed = (await world.api(tenantId, 'GET', '/staff')).body.data;
    expect(listed).toContainEqual(expect.objectContaining({ name: 'Cem', next_available_slot: null }));
  });

  it('422 for nine of ten at once with one name; one is stored', async () => {
    const send = asOperator(world, world.newTenant());
    const answers = await atOnce(10, () => send('POST', '/staff', { name: 'Anna' }));
    expect(statusCounts(answers)).toEqual({ 201: 1, 422: 9 });
    for (const { body } of withStatus(answers, 422)) expect(body.errors).toEqual(TAKEN);
  });

  it('422 on service_ids for services of another tenant, deleted ones and none at all; inactive ones may be named', async () => {
    const { send, haircut, beardTrim } = await salonToRun(world);
    const theirs = await openSalon(world);
    const create = (name: string, id: number) => send('POST', '/staff', { name, service_ids: [haircut, id] });
    await send('PATCH', `/services/${beardTrim}`, { is_active: false });
    expect((await create('Cem', beardTrim)).status).toBe(201);
    await send('DELETE', `/services/${beardTrim}`);
    for (const id of [beardTrim, theirs.haircut, 999_999_999])
      expect((await create('Dora', id)).body.errors).toEqual(NOT_THEIRS);
    expect((await send('GET', '/staff')).body.data).toHaveLength(3);
  });

  it('with an Idempotency-Key once, however often it is sent', async () => {
    // None of them waits for too long, however long that takes.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const send = asOperator(world, world.newTenant());
    const answers = await atOnce(3, () =>
      send('POST', '/staff', { name: 'Anna' }, { 'idempotency-key': 'once' }),
    );
    expect(statusCounts(answers)).toEqual({ 201: 3 });
    expect((await send('GET', '/staff')).body.data).toHaveLength(1);
  });
});

describe('GET /staff-hours', () => {
  it('the weekly hours of all staff of the tenant in one statement, which reads no dates and no times off', async () => {
    const { send, anna, ben, staffIds } = await salonToRun(world);
    await salonToRun(world);
    const hours = { ...everyDay([]), monday: NINE_TO_FIVE };
    await send('PUT', `/staff/${anna}/calendar/hours`, { hours });
    await send('PUT', `/staff/${anna}/calendar/exceptions/2031-06-02`, { hours: [] });
    await send('PATCH', `/staff/${anna}`, { is_active: false });
    const deleted = (await send('POST', '/staff', { name: 'Cem' })).body.data.id;
    await send('DELETE', `/staff/${deleted}`);
    const statements = await sentStatements(async () => {
      const { status, body } = await send('GET', '/staff-hours');
      expect([status, body.data.map(({ id }: { id: number }) => id)]).toEqual([200, staffIds]);
      expect(body.data).toContainEqual({ id: anna, hours });
      expect(body.data).toContainEqual({ id: ben, hours: everyDay(NINE_TO_FIVE) });
    });
    expect(statements).toEqual(['staff_hours_list']);
  });
});

describe('PATCH /staff/{id}', () => {
  it('changes what is named; services are replaced', async () => {
    const { send, anna, beardTrim, book } = await salonToRun(world);
    const patch = { name: 'Annabel', service_ids: [beardTrim] };
    const { headers, body } = await send('PATCH', `/staff/${anna}`, patch);
    expect([headers.etag, body.data]).toEqual([
      '"2"',
      {
        id: anna,
        specialties: ['colour'],
        is_active: true,
        coming_appointments: 0,
        color: null,
        picture_version: null,
        follows_business_hours: false,
        ...patch,
      },
    ]);
    expect((await send('GET', `/staff/${anna}`)).body.data).toEqual(body.data);
    expect((await book({ staff_id: anna })).body.errors).toHaveProperty('staff_id');
    expect((await send('PATCH', `/staff/${anna}`, { service_ids: [] })).body.data.service_ids).toEqual([]);
  });

  it('sets and clears the colour; 422 for one that pages don’t have', async () => {
    const { send, anna } = await salonToRun(world);
    const patched = (color: unknown) => send('PATCH', `/staff/${anna}`, { color });
    const { headers, body } = await patched('teal');
    expect([headers.etag, body.data.color]).toEqual(['"2"', 'teal']);
    expect((await send('GET', '/staff')).body.data).toContainEqual(body.data);
    for (const wrong of ['#ff0000', '', 7, ['teal']])
      expect([wrong, Object.keys((await patched(wrong)).body.errors)]).toEqual([wrong, ['color']]);
    expect((await patched(null)).body.data.color).toBeNull();
    const dora = await send('POST', '/staff', { name: 'Dora', color: 'red' });
    expect([dora.status, dora.body.data.color]).toEqual([201, 'red']);
  });

  it('the same again is no new version', async () => {
    const { send, anna, haircut, beardTrim } = await salonToRun(world);
    for (const patch of [{}, { service_ids: [beardTrim, haircut] }, { name: 'Anna', is_active: true }])
      expect((await send('PATCH', `/staff/${anna}`, patch)).headers.etag).toBe('"1"');
  });

  it('422 on a name that another bears and on services that are not theirs; nothing of it is done', async () => {
    const { send, anna } = await salonToRun(world);
    const before = await send('GET', `/staff/${anna}`);
    const taken = await send('PATCH', `/staff/${anna}`, { name: 'Ben', service_ids: [] });
    expect([taken.status, taken.body.errors]).toEqual([422, TAKEN]);
    const foreign = await send('PATCH', `/staff/${anna}`, { name: 'Annabel', service_ids: [999_999_999] });
    expect(foreign.body.errors).toEqual(NOT_THEIRS);
    const after = await send('GET', `/staff/${anna}`);
    expect([after.headers.etag, after.body]).toEqual([before.headers.etag, before.body]);
  });

  it('412: another version than the one in If-Match, and nothing happens; so for DELETE', async () => {
    const { send, anna } = await salonToRun(world);
    const stale = { 'if-match': '"9"' };
    expect((await send('PATCH', `/staff/${anna}`, { name: 'X' }, stale)).status).toBe(412);
    expect((await send('DELETE', `/staff/${anna}`, undefined, stale)).status).toBe(412);
    expect((await send('GET', `/staff/${anna}`)).headers.etag).toBe('"1"');
  });

  it('deactivated they are offered to nobody, but listed here with the appointments that stay', async () => {
    const { send, anna, book, tenantId } = await salonToRun(world);
    const booked = (await book({ staff_id: anna })).body.data;
    const { body } = await send('PATCH', `/staff/${anna}`, { is_active: false });
    expect(body.data).toMatchObject({ is_active: false, coming_appointments: 1 });
    expect((await send('GET', '/staff')).body.data).toContainEqual(body.data);
    expect((await world.api(tenantId, 'GET', `/staff/${anna}`)).status).toBe(404);
    expect((await book({ staff_id: anna, appointment_time: '12:00' })).status).toBe(422);
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
  });
});

describe('DELETE /staff/{id}', () => {
  it('of the last of them makes it a business without staff; leave of all does not', async () => {
    const { send, anna, ben, book } = await salonToRun(world);
    for (const id of [anna, ben]) await send('PATCH', `/staff/${id}`, { is_active: false });
    expect((await book()).status).toBe(409);
    for (const id of [anna, ben]) await send('DELETE', `/staff/${id}`);
    const { status, body } = await book();
    expect([status, body.data.staff_id]).toEqual([201, null]);
  });

  it('200 with the appointments that stay; then they are gone for everyone, and the name is free', async () => {
    const { send, anna, book, tenantId } = await salonToRun(world);
    const coming = (await book({ staff_id: anna })).body.data;
    const past = (await book({ staff_id: anna, appointment_date: '2020-01-06' })).body.data;
    const { status, body } = await send('DELETE', `/staff/${anna}`);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id: anna, is_active: false, coming_appointments: 1 }),
    ]);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await send(method, `/staff/${anna}`)).body.message).toBe('Staff member not found.');
    expect((await send('GET', `/staff/${anna}/calendar`)).status).toBe(404);
    expect((await send('GET', '/staff')).body.data).toHaveLength(1);

    for (const appointment of [coming, past])
      expect((await world.api(tenantId, 'GET', `/appointments/${appointment.id}`)).body.data).toEqual(
        appointment,
      );
    const listed = await world.api(tenantId, 'GET', `/appointments?staff_id=${anna}`);
    expect(listed.body.data).toEqual([coming, past]);

    const successor = await send('POST', '/staff', { name: 'Anna' });
    expect([successor.status, successor.body.data.coming_appointments]).toEqual([201, 0]);
    expect(successor.body.data.id).not.toBe(anna);
  });
});
