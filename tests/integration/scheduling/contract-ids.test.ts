import { rawRequest } from './raw-request.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

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

  it('leaves aside what it does not know', async () => {
    const salon = await openSalon(world);
    const known = await salon.slots();
    const more = await salon.slots({ colour: 'blue' });
    expect(more.body).toEqual(known.body);
    expect(known.body.data.length).toBeGreaterThan(0);
  });
});
