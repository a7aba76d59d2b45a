import { rawRequest } from './raw-request.ts';
import { openSalon } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

type Method = Parameters<SchedulingWorld['api']>[1];

describe('a body', () => {
  const BODY_ROUTES: [Method, string][] = [
    ['POST', '/appointments'],
    ['PATCH', '/appointments/{id}'],
    ['PATCH', '/appointments/{id}/status'],
  ];
  const send = async (method: 'POST' | 'PATCH', path: string, payload: string) => {
    const salon = await openSalon(world);
    const { id } = (await salon.book()).body.data;
    const before = (await world.api(salon.tenantId, 'GET', '/appointments')).body;
    const answer = await rawRequest(world, salon.tenantId, {
      method,
      path: path.replace('{id}', id),
      payload,
    });
    expect((await world.api(salon.tenantId, 'GET', '/appointments')).body).toEqual(before);
    return answer;
  };

  describe.each(BODY_ROUTES)('of %s %s', (method, path) => {
    it.each(['{', '{"status": }', "{'status': 'completed'}", '{"a":1}{"b":2}', 'status=completed', '\u0000'])(
      '400 invalid_json, and nothing happens: %j',
      async (payload) => {
        const { status, body } = await send(method as 'POST' | 'PATCH', path, payload);
        expect([status, body.success, body.code, body.errors]).toEqual([
          400,
          false,
          'invalid_json',
          undefined,
        ]);
      },
    );

    it.each(['[]', '"text"', '7', 'true'])(
      '422 validation_failed, and nothing happens: %s',
      async (payload) => {
        const { status, body } = await send(method as 'POST' | 'PATCH', path, payload);
        expect([status, body.success, body.code]).toEqual([422, false, 'validation_failed']);
      },
    );
  });

  it.each([undefined, 'null', '{}'])(
    'of PATCH /appointments/{id} that says nothing changes nothing: %s',
    async (payload) => {
      const salon = await openSalon(world);
      const { id } = (await salon.book()).body.data;
      const request = { method: 'PATCH', path: `/appointments/${id}`, ...(payload && { payload }) } as const;
      const { status, headers } = await rawRequest(world, salon.tenantId, request);
      expect([status, headers.etag]).toEqual([200, '"1"']);
      expect(await salon.eventTypes()).toEqual(['appointment.created']);
    },
  );

  it('413 over 1 MiB', async () => {
    const salon = await openSalon(world);
    const { status, body } = await salon.book({ notes: 'x'.repeat(1_048_576) });
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
    expect(await salon.eventTypes()).toEqual([]);
  });

  it('DELETE and GET need none, also where the client always says that it sends JSON', async () => {
    const salon = await openSalon(world);
    const { id } = (await salon.book()).body.data;
    const path = `/appointments/${id}`;
    expect((await rawRequest(world, salon.tenantId, { method: 'GET', path })).status).toBe(200);
    expect((await rawRequest(world, salon.tenantId, { method: 'DELETE', path })).status).toBe(200);
  });
});

describe('a refusal', () => {
  it('names every field that fails, at once', async () => {
    const salon = await openSalon(world);
    const request = {
      method: 'POST',
      path: '/appointments',
      payload: '{"staff_id":"x","notes":1,"source":[]}',
    } as const;
    const { status, body } = await rawRequest(world, salon.tenantId, request);
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        message: expect.any(String),
        code: 'validation_failed',
        request_id: expect.any(String),
        errors: {
          customer_id: ['The customer_id field is required.'],
          service_id: ['The service_id field is required.'],
          staff_id: ['The staff_id field must be an integer.'],
          appointment_date: ['The appointment_date field is required.'],
          appointment_time: ['The appointment_time field is required.'],
          notes: ['The notes field must be a string.'],
          source: ['The source field must be a string.'],
        },
      },
    ]);
  });

  it('names customer, service, staff and time together where none of them fits', async () => {
    const salon = await openSalon(world);
    const skipped = { appointment_date: '2031-03-30', appointment_time: '02:30' };
    const { body } = await salon.book({ customer_id: 5, service_id: 999_999, staff_id: 999_999, ...skipped });
    expect(Object.keys(body.errors).sort()).toEqual([
      'appointment_time',
      'customer_id',
      'service_id',
      'staff_id',
    ]);
  });

  it('bears the request’s id, in the body as in the header; a client may bring its own', async () => {
    const { tenantId } = await openSalon(world);
    const own = await world.api(tenantId, 'GET', '/appointments/1', undefined, {
      'x-request-id': 'order-66',
    });
    expect([own.headers['x-request-id'], own.body.request_id]).toEqual(['order-66', 'order-66']);
    const given = await world.api(tenantId, 'GET', '/appointments/1');
    expect(given.body.request_id).toBe(given.headers['x-request-id']);
    const fine = await world.api(tenantId, 'GET', '/staff', undefined, { 'x-request-id': 'order-67' });
    expect([fine.headers['x-request-id'], Object.keys(fine.body)]).toEqual(['order-67', ['success', 'data']]);
  });
});

describe('a path or method that is not there', () => {
  it.each(['/appointment', '/appointments/1/notes', '/staff/1/hours', '/services/1/2', '/'])(
    '404: %s',
    async (path) => {
      const { status, body } = await world.api(world.newTenant(), 'GET', path);
      expect([status, body.success, body.code]).toEqual([404, false, 'not_found']);
    },
  );

  it.each<[Method, string, string]>([
    ['PUT', '/appointments/1', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/appointments', 'GET, HEAD, POST'],
    ['DELETE', '/appointments', 'GET, HEAD, POST'],
    ['POST', '/appointments/1/status', 'PATCH'],
    ['POST', '/staff', 'GET, HEAD'],
    ['PATCH', '/services/1', 'GET, HEAD'],
    // A path of its own, not an appointment that is called "slots".
    ['PATCH', '/appointments/slots', 'GET, HEAD'],
    ['DELETE', '/appointments/slots', 'GET, HEAD'],
    ['PUT', '/appointments/slots', 'GET, HEAD'],
  ])('405 with Allow: %s %s', async (method, path, allow) => {
    const { status, headers, body } = await world.api(world.newTenant(), method, path, {});
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(String(headers.allow).split(', ').sort()).toEqual(allow.split(', '));
  });
});
