import { rawRequest } from './raw-request.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('ids', () => {
  type Method = Parameters<SchedulingWorld['api']>[1];
  const RECORD_ROUTES: [Method, string, string, object | undefined][] = [
    ['GET', '/appointments/{id}', 'Appointment not found.', undefined],
    ['PATCH', '/appointments/{id}', 'Appointment not found.', { notes: 'x' }],
    ['PATCH', '/appointments/{id}/status', 'Appointment not found.', { status: 'completed' }],
    ['DELETE', '/appointments/{id}', 'Appointment not found.', undefined],
    ['GET', '/staff/{id}', 'Staff member not found.', undefined],
    ['GET', '/services/{id}', 'Service not found.', undefined],
  ];

  const NOT_IDS = [
    '0',
    '-1',
    '01',
    '1.0',
    '1e3',
    '0x1',
    'abc',
    '%20',
    '１',
    '9007199254740992',
    '9'.repeat(40),
    '9'.repeat(400),
  ];

  describe('an id in a path that names no record', () => {
    it.each(RECORD_ROUTES)('%s %s: 404 in the kind’s own words', async (method, path, message, body) => {
      const { tenantId } = await openSalon(world);
      const failure = { success: false, message, code: 'not_found', request_id: expect.any(String) };
      for (const id of [...NOT_IDS, '9007199254740991', '999999999']) {
        const url = path.replace('{id}', encodeURIComponent(decodeURIComponent(id)));
        const answer = await world.api(tenantId, method, url, body);
        expect([id, answer.status, answer.body]).toEqual([id, 404, failure]);
      }
    });
  });

  describe('a field that holds an id', () => {
    const NOT_INTEGERS = ['7', '', 1.5, 1e21, true, [], {}, Number.MAX_SAFE_INTEGER + 1];

    it.each(['customer_id', 'service_id', 'staff_id'])(
      '%s: 422 naming it, whatever else is sent there',
      async (field) => {
        const salon = await openSalon(world);
        for (const value of NOT_INTEGERS) {
          const { status, body } = await salon.book({ [field]: value });
          const errors = { [field]: [`The ${field} field must be an integer.`] };
          expect([value, status, body.errors]).toEqual([value, 422, errors]);
        }
        for (const value of [0, -1, Number.MIN_SAFE_INTEGER]) {
          const { status, body } = await salon.book({ [field]: value });
          const errors = { [field]: [`The ${field} field must be a positive integer.`] };
          expect([value, status, body.errors]).toEqual([value, 422, errors]);
        }
        const { status, body } = await salon.book({ [field]: Number.MAX_SAFE_INTEGER });
        expect([status, body.errors]).toEqual([422, { [field]: [`The selected ${field} is invalid.`] }]);
        expect(await salon.eventTypes()).toEqual([]);
      },
    );

    it('1.0 is the integer 1, in JSON as in arithmetic', async () => {
      const salon = await openSalon(world);
      const payload = JSON.stringify(salon.wish()).replace(/("service_id":\d+)/, '$1.0');
      expect(payload).toContain('.0');
      const request = { method: 'POST', path: '/appointments', payload } as const;
      expect((await rawRequest(world, salon.tenantId, request)).status).toBe(201);
    });
  });

  describe('GET /appointments/slots', () => {
    it.each([
      ['service_id=1.0', 'service_id', 'The service_id field must be an integer.'],
      ['service_id=1e3', 'service_id', 'The service_id field must be an integer.'],
      ['service_id=0', 'service_id', 'The service_id field must be a positive integer.'],
      ['service_id=99999999999999999999', 'service_id', 'The service_id field must be an integer.'],
      ['staff_id=', 'staff_id', 'The staff_id field must be an integer.'],
      ['staff_id=-3', 'staff_id', 'The staff_id field must be a positive integer.'],
      ['date=2031-6-2', 'date', 'The date field must be a date in the format Y-m-d.'],
      ['date=2031-02-29', 'date', 'The date field must be a date that exists.'],
      ['date=2031-06-02T00:00:00Z', 'date', 'The date field must be a date in the format Y-m-d.'],
      ['date=', 'date', 'The date field must be a date in the format Y-m-d.'],
    ])('422 on what does not fit: %s', async (query, field, message) => {
      const salon = await openSalon(world);
      const { status, body } = await salon.slots(Object.fromEntries(new URLSearchParams(query)));
      expect([status, body.code, body.errors]).toEqual([422, 'validation_failed', { [field]: [message] }]);
    });

    it('422: a parameter that it does not know', async () => {
      const salon = await openSalon(world);
      const { status, body } = await salon.slots({ colour: 'blue' });
      expect([status, body.code]).toEqual([422, 'validation_failed']);
      expect(body.errors).toEqual({ colour: ['The colour parameter is unknown.'] });
    });
  });
});

describe('a POST with an Idempotency-Key, sent again', () => {
  const key = (name: string) => ({ 'idempotency-key': name });
  const REPLAYED = 'idempotent-replayed';

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
