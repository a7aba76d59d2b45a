import { rawRequest } from './raw-request.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const key = (name: string) => ({ 'idempotency-key': name });
const REPLAYED = 'idempotent-replayed';

describe('a POST with an Idempotency-Key, sent again', () => {
  it('201: the first answer with its headers, whatever has become of the appointment since', async () => {
    const salon = await openSalon(world);
    const first = await salon.book({}, key('a'));
    await salon.change(first.body.data.id, { notes: 'changed' });
    await salon.cancel(first.body.data.id);
    const again = await salon.book({}, key('a'));
    expect([again.status, again.body]).toEqual([201, first.body]);
    for (const name of ['etag', 'location']) expect(again.headers[name]).toBe(first.headers[name]);
    expect([first.headers[REPLAYED], again.headers[REPLAYED]]).toEqual([undefined, 'true']);
    expect(await salon.eventTypes()).toHaveLength(3);
  });

  it('409: with its alternatives, even after the slot has become free', async () => {
    const salon = await openSalon(world);
    const { body: first } = await salon.book({ staff_id: salon.anna });
    const lost = await salon.book({ staff_id: salon.anna }, key('lost'));
    await salon.cancel(first.data.id);
    const again = await salon.book({ staff_id: salon.anna }, key('lost'));
    expect([lost.status, again.status]).toEqual([409, 409]);
    expect(again.body.data).toEqual(lost.body.data);
    expect(again.headers[REPLAYED]).toBe('true');
  });

  it('422: a refusal for what the business does not have is replayed, even once it has it', async () => {
    const salon = await openSalon(world);
    const first = await salon.book({ customer_id: 77 }, key('b'));
    world.neighbours.customers.add(`${salon.tenantId}:77`);
    const again = await salon.book({ customer_id: 77 }, key('b'));
    expect([first.status, again.status, again.headers[REPLAYED]]).toEqual([422, 422, 'true']);
    expect(again.body.errors).toEqual(first.body.errors);
    expect((await salon.book({ customer_id: 77 })).status).toBe(201);
  });

  it('422 on the key with another body; the first answer can still be had', async () => {
    const salon = await openSalon(world);
    const first = await salon.book({}, key('c'));
    for (const fields of [{ appointment_time: '12:00' }, { notes: 'x' }, { staff_id: salon.anna }]) {
      const { status, body } = await salon.book(fields, key('c'));
      expect([status, body.code, Object.keys(body.errors)]).toEqual([
        422,
        'validation_failed',
        ['Idempotency-Key'],
      ]);
    }
    expect((await salon.book({}, key('c'))).body).toEqual(first.body);
  });

  it('the order of its fields, and fields that are unknown, make no other body', async () => {
    const salon = await openSalon(world);
    const first = await salon.book({}, key('d'));
    const payload = JSON.stringify(
      Object.fromEntries(Object.entries(salon.wish({ colour: 'blue' })).reverse()),
    );
    const headers = { 'content-type': 'application/json', ...key('d') };
    const request = { method: 'POST', path: '/appointments', payload } as const;
    const again = await rawRequest(world, salon.tenantId, request, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('a key is the tenant’s own: another’s same key is another request', async () => {
    const [mine, theirs] = [await openSalon(world), await openSalon(world)];
    const answers = [await mine.book({}, key('e')), await theirs.book({}, key('e'))];
    expect(answers.map(({ status, headers }) => [status, headers[REPLAYED]])).toEqual([
      [201, undefined],
      [201, undefined],
    ]);
    expect(await theirs.eventTypes()).toEqual(['appointment.created']);
  });

  it('what could not be read, or failed its schema, has used no key up', async () => {
    const salon = await openSalon(world);
    const headers = { 'content-type': 'application/json', ...key('f') };
    const request = { method: 'POST', path: '/appointments', payload: '{' } as const;
    expect((await rawRequest(world, salon.tenantId, request, headers)).status).toBe(400);
    expect((await salon.book({ appointment_time: 'noon' }, key('f'))).status).toBe(422);
    const { status, headers: answered } = await salon.book({}, key('f'));
    expect([status, answered[REPLAYED]]).toEqual([201, undefined]);
  });

  it.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a space inside', 'a b'],
    ['beyond ASCII', 'ä'],
  ])('422: a key that is %s', async (_name, value) => {
    const salon = await openSalon(world);
    const { status, body } = await salon.book({}, key(value));
    expect([status, Object.keys(body.errors)]).toEqual([422, ['Idempotency-Key']]);
    expect(await salon.eventTypes()).toEqual([]);
  });
});
