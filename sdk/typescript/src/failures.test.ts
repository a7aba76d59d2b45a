import { inspect } from 'node:util';
import { freePort } from '../../../tests/support/ports.ts';
import {
  API_KEY,
  answer,
  BOOKING,
  done,
  failed,
  failure,
  frontdesk,
  json,
  sent,
  server,
  startForEachTest,
} from '../testing/scripted-server.ts';
import { ApiError, ConnectionError, Frontdesk, FrontdeskError } from './index.ts';

startForEachTest();

describe('an error', () => {
  it('has all that the answer says, under a class for its code', async () => {
    const alternatives = [{ date: '2026-03-09', time: '11:00' }];
    const errors = { appointment_time: ['Taken.'] };
    answer(failure(409, 'slot_unavailable', { errors, data: { alternatives } }));
    const error = await failed(frontdesk.appointments.create(BOOKING));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(FrontdeskError);
    expect(error).toMatchObject({
      name: 'SlotUnavailableError',
      code: 'slot_unavailable',
      status: 409,
      requestId: 'req-1',
      errors,
      message: 'It is slot_unavailable.',
      data: { alternatives },
    });
    // The compiler knows it too.
    if (error instanceof ApiError && error.code === 'slot_unavailable')
      expect(error.data.alternatives[0]?.time).toBe('11:00');
  });

  it('names the nearest free slots where a hold has ended, and none where the answer has none', async () => {
    const alternatives = [{ date: '2026-03-09', time: '11:00' }];
    answer(failure(409, 'hold_expired', { data: { alternatives } }), failure(409, 'hold_expired'));
    const errors = [
      await failed(frontdesk.holds.book(5, { customer_id: 1 })),
      await failed(frontdesk.holds.book(5, { customer_id: 1 })),
    ];
    expect(errors).toMatchObject([
      { name: 'HoldExpiredError', status: 409, data: { alternatives } },
      { name: 'HoldExpiredError', status: 409, data: { alternatives: [] } },
    ]);
  });

  it.each([
    [400, 'invalid_json', 'BadRequestError'],
    [401, 'unauthorized', 'AuthenticationError'],
    [403, 'tenant_suspended', 'PermissionError'],
    [403, 'holds_off', 'PermissionError'],
    [404, 'not_found', 'NotFoundError'],
    [409, 'hold_booked', 'HoldBookedError'],
    [412, 'precondition_failed', 'PreconditionFailedError'],
    [422, 'validation_failed', 'ValidationError'],
    [422, 'quota_exceeded', 'LimitError'],
    [500, 'internal_error', 'ServerError'],
  ])('%d %s is a %s', async (status, code, name) => {
    answer(failure(status, code));
    expect(await failed(frontdesk.services.list())).toMatchObject({ name, code, status });
  });

  it('is UnexpectedAnswerError for what is not Frontdesk’s, and for a code of the future', async () => {
    answer({ status: 400, body: '<h1>Bad Request</h1>' });
    const ofProxy = await failed(frontdesk.services.list());
    expect(ofProxy).toMatchObject({ name: 'UnexpectedAnswerError', code: 'unexpected_answer', status: 400 });
    answer({ status: 200, body: 'Welcome to the guest network' });
    expect(await failed(frontdesk.services.list())).toMatchObject({ code: 'unexpected_answer', status: 200 });
    answer(failure(409, 'of_the_future'));
    const ofTheFuture = await failed(frontdesk.services.list());
    expect(ofTheFuture).toMatchObject({ code: 'unexpected_answer', message: 'It is of_the_future.' });
  });

  it('follows no redirect, which could take the key elsewhere', async () => {
    answer({ status: 307, headers: { location: `${server.url}/elsewhere` } });
    const error = await failed(frontdesk.services.list({ maxRetries: 0 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(sent()).toEqual(['GET /api/v1/services']);
  });

  it('names what could not be reached', async () => {
    const port = await freePort();
    const nowhere = new Frontdesk({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    expect(await failed(nowhere.customers.list({ search: 'Mia' }))).toMatchObject({
      message: `GET http://127.0.0.1:${port}/api/v1/customers: ECONNREFUSED`,
    });
  });

  it.each([
    ['no data', { success: true }],
    ['null', { success: true, data: null }],
    ['a number', { success: true, data: 5 }],
    ['text', { success: true, data: 'none' }],
    ['other types in the envelope', { success: false, code: 5, message: {}, errors: 'x', request_id: [] }],
    ['null instead of an envelope', null],
    ['an expired cursor without the oldest', { success: false, code: 'cursor_expired' }],
  ])('is UnexpectedAnswerError for %s, whatever was asked', async (_case, body) => {
    answer({ status: 200, body: JSON.stringify(body) });
    const outcomes = [frontdesk.services.get(2), frontdesk.services.list(), frontdesk.customers.list()];
    for (const outcome of [...outcomes, frontdesk.events.list()]) {
      const error = await failed(outcome);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unexpected_answer', errors: {}, requestId: null });
    }
  });

  it('is UnexpectedAnswerError for one record instead of a list, and for a feed that doesn’t go on', async () => {
    answer(done);
    expect(await failed(frontdesk.customers.list())).toMatchObject({ code: 'unexpected_answer' });
    expect(await failed(frontdesk.services.list())).toMatchObject({ code: 'unexpected_answer' });
    answer(json(200, { success: true, data: [], meta: { next_cursor: null } }));
    expect(await failed(frontdesk.events.list())).toMatchObject({ code: 'unexpected_answer' });
  });

  it('always has the list of alternatives, be it empty', async () => {
    answer(failure(409, 'slot_unavailable', { data: { alternatives: 'none' } }));
    expect(await failed(frontdesk.appointments.create(BOOKING))).toMatchObject({
      data: { alternatives: [] },
    });
  });
});

describe('the key', () => {
  const everythingOf = (value: unknown) => inspect(value, { depth: 5 }) + JSON.stringify(value);

  it('shows in no error, no answer and not in the client', async () => {
    answer(failure(401, 'unauthorized'));
    const refused = await failed(frontdesk.services.list());
    answer('hang up');
    const broken = await failed(frontdesk.services.list({ maxRetries: 0 }));
    answer(done);
    const whole = await frontdesk.services.get(2).withResponse();
    for (const seen of [refused, broken, whole, frontdesk]) expect(everythingOf(seen)).not.toContain(API_KEY);
  });

  it('that no header can hold is refused without being quoted', () => {
    const apiKey = `${API_KEY}\n`;
    const make = () => new Frontdesk({ apiKey, baseUrl: server.url });
    expect(make).toThrow(FrontdeskError);
    expect(make).toThrow(/^apiKey must be an API key/);
  });

  it.each(['', 'frontdesk.example.com', 'ftp://a.example', 'https://user:pass@a.example'])(
    'is sent to no base URL like "%s"',
    (baseUrl) => {
      expect(() => new Frontdesk({ apiKey: API_KEY, baseUrl })).toThrow(/^baseUrl must be/);
    },
  );
});

describe('what can’t be sent is refused before anything is sent', () => {
  it.each<[string, (client: Frontdesk) => PromiseLike<unknown>]>([
    ['an id that leads elsewhere', (client) => client.customers.get('../appointments/3' as never)],
    ['an id that names more than a record', (client) => client.appointments.cancel('5/status' as never)],
    ['an id with a query', (client) => client.appointments.get('5?a=b' as never)],
    ['no id', (client) => client.appointments.get(undefined as never)],
    ['a fraction as id', (client) => client.appointments.get(1.5)],
    ['a timeout of no length', (client) => client.services.list({ timeoutMs: 0 })],
    ['a timeout without end', (client) => client.services.list({ timeoutMs: Number.POSITIVE_INFINITY })],
    ['retries without end', (client) => client.services.list({ maxRetries: Number.POSITIVE_INFINITY })],
    ['a wait of less than nothing', (client) => client.services.list({ maxRetryWaitMs: -1 })],
    [
      'an idempotency key of two lines',
      (client) => client.appointments.create(BOOKING, { idempotencyKey: 'a\nb' }),
    ],
    [
      'an idempotency key beyond ASCII',
      (client) => client.appointments.create(BOOKING, { idempotencyKey: 'für' }),
    ],
    ['an ETag of two lines', (client) => client.customers.update(5, {}, { ifMatch: 'a\nb' })],
  ])('%s', async (_case, call) => {
    answer(done);
    const error = await failed(call(frontdesk));
    expect(error).toBeInstanceOf(FrontdeskError);
    expect(error).not.toBeInstanceOf(ConnectionError);
    expect(server.requests).toEqual([]);
  });
});
