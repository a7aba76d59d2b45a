import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { type Receiver, startReceiver } from '../../../tests/support/receiver.ts';
import { ApiError, ConnectionError, Frontdesk, FrontdeskError, TimeoutError } from './index.ts';

const API_KEY = 'fd_live_thisMustNeverBeSeen';
const BOOKING = {
  ...{ customer_id: 1, service_id: 2 },
  ...{ appointment_date: '2026-03-09', appointment_time: '10:00' },
};

type Reply = { status: number; headers?: Record<string, string>; body?: string };

const json = (status: number, body: object, headers = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  body: JSON.stringify(body),
});
const done = json(200, { success: true, data: { id: 5 } }, { etag: 'W/"3"' });
const failure = (status: number, code: string, more: object = {}, headers = {}) =>
  json(status, { success: false, code, message: `It is ${code}.`, request_id: 'req-1', ...more }, headers);
/** An answer that asks for no wait: what is sent again comes at once. */
const NOW = { 'retry-after': '0' };

let server: Receiver;
let frontdesk: Frontdesk;

/** Answers one after the other; the last one stays. */
function answer(...replies: (Reply | 'hang up' | 'silence')[]): void {
  server.respondWith(() => {
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === 'hang up') throw new Error('hang up');
    return reply === 'silence' || !reply ? new Promise(() => {}) : reply;
  });
}

const sent = () => server.requests.map(({ method, path }) => `${method} ${path}`);
const failed = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('It succeeded.');
    },
    (error: unknown) => error,
  );

beforeEach(async () => {
  server = await startReceiver();
  frontdesk = new Frontdesk({ apiKey: API_KEY, baseUrl: `${server.url}/` });
});
afterEach(() => server.close());

describe('an answer', () => {
  it('is the data, and with its headers on request', async () => {
    const limits = {
      ...{ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' },
      ...{ 'x-ratelimit-reset': '1772445600', 'idempotent-replayed': 'true' },
    };
    answer({ ...done, headers: { ...done.headers, ...limits } });
    expect(await frontdesk.appointments.get(5)).toEqual({ id: 5 });
    expect(await frontdesk.appointments.get(5).withResponse()).toMatchObject({
      ...{ data: { id: 5 }, status: 200, requestId: 'req-1', etag: 'W/"3"', isReplayed: true },
      rateLimit: { limit: 100, remaining: 99, resetsAt: new Date('2026-03-02T10:00:00Z') },
    });
  });

  it('is asked for with the key, what was given, and nothing else', async () => {
    answer(done);
    await frontdesk.appointments.update(5, { notes: null }, { ifMatch: 'W/"3"' });
    const [{ headers, rawBody } = { headers: {}, rawBody: '' }] = server.requests;
    expect(headers).toMatchObject({
      ...{ authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', 'if-match': 'W/"3"' },
      'user-agent': expect.stringMatching(/^frontdesk-client\/\d/),
    });
    expect(headers).not.toHaveProperty('idempotency-key');
    expect(rawBody).toBe('{"notes":null}');
  });
});

describe('what is tried again', () => {
  it.each([
    ['429', failure(429, 'rate_limited', {}, NOW)],
    ['503', failure(503, 'service_unavailable', {}, NOW)],
    ['a broken connection', 'hang up' as const],
  ])('a GET after %s', async (_case, fault) => {
    answer(fault, fault, done);
    expect(await frontdesk.appointments.get(5)).toEqual({ id: 5 });
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['429', failure(429, 'rate_limited', {}, NOW)],
    ['503', failure(503, 'service_unavailable', {}, NOW)],
    ['a broken connection', 'hang up' as const],
    ['409 request_in_progress', failure(409, 'request_in_progress')],
  ])('a POST after %s, under one key', async (_case, fault) => {
    answer(fault, done);
    await frontdesk.appointments.create(BOOKING);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[\w-]{32,}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('a POST under the key that the program gives, and every other POST under one of its own', async () => {
    answer(done);
    await frontdesk.appointments.create(BOOKING, { idempotencyKey: 'order-7' });
    await frontdesk.appointments.create(BOOKING);
    await frontdesk.appointments.create(BOOKING);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toBe('order-7');
    expect(new Set(keys).size).toBe(3);
  });

  it('a cancellation, unless If-Match would refuse it the second time', async () => {
    answer('hang up', done);
    await frontdesk.appointments.cancel(5);
    expect(sent()).toEqual(['DELETE /api/v1/appointments/5', 'DELETE /api/v1/appointments/5']);
    answer('hang up', done);
    expect(await failed(frontdesk.appointments.cancel(5, { ifMatch: 'W/"3"' }))).toBeInstanceOf(
      ConnectionError,
    );
    expect(server.requests).toHaveLength(3);
  });

  it('a PATCH after a 429 alone, which comes before any effect', async () => {
    answer(failure(429, 'rate_limited', {}, NOW), done);
    await frontdesk.customers.update(5, { segment: 'vip' });
    expect(server.requests).toHaveLength(2);
    answer('hang up', done);
    expect(await failed(frontdesk.customers.update(5, { segment: 'vip' }))).toBeInstanceOf(ConnectionError);
    answer(failure(503, 'service_unavailable', {}, NOW), done);
    expect(await failed(frontdesk.customers.update(5, { segment: 'vip' }))).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(4);
  });

  it('nothing after an answer that would be the same again', async () => {
    answer(failure(422, 'validation_failed'), done);
    expect(await failed(frontdesk.appointments.create(BOOKING))).toMatchObject({ code: 'validation_failed' });
    expect(server.requests).toHaveLength(1);
  });

  it('as often as maxRetries says, of the client or of the call', async () => {
    answer(failure(503, 'service_unavailable', {}, NOW));
    expect(await failed(frontdesk.staff.list())).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(3);
    expect(await failed(frontdesk.staff.list({ maxRetries: 0 }))).toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(4);
  });

  it('nothing when the wait would be longer than a minute: the program is told how long', async () => {
    answer(failure(429, 'rate_limited', {}, { 'retry-after': '3600' }), done);
    expect(await failed(frontdesk.services.list())).toMatchObject({
      ...{ name: 'RateLimitError', code: 'rate_limited', retryAfterMs: 3_600_000 },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a call that takes too long', () => {
  it('ends with TimeoutError when no whole answer comes', async () => {
    answer('silence');
    const error = await failed(frontdesk.calls.list({}, { timeoutMs: 50, maxRetries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
  });

  it.each([
    ['while it waits for an answer', 'silence' as const],
    ['while it waits for its next attempt', failure(503, 'service_unavailable', {}, { 'retry-after': '30' })],
  ])('ends with the reason of the program’s own signal, %s', async (_case, reply) => {
    answer(reply);
    const controller = new AbortController();
    const reason = new Error('The visitor has left.');
    const outcome = failed(frontdesk.services.get(2, { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(await failed(frontdesk.services.get(2, { signal: controller.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });
});

describe('an error', () => {
  it('has all that the answer says, under a class for its code', async () => {
    const alternatives = [{ date: '2026-03-09', time: '11:00' }];
    const errors = { appointment_time: ['Taken.'] };
    answer(failure(409, 'slot_unavailable', { errors, data: { alternatives } }));
    const error = await failed(frontdesk.appointments.create(BOOKING));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(FrontdeskError);
    expect(error).toMatchObject({
      ...{ name: 'SlotUnavailableError', code: 'slot_unavailable', status: 409, requestId: 'req-1', errors },
      ...{ message: 'It is slot_unavailable.', data: { alternatives } },
    });
    // The compiler knows it too.
    if (error instanceof ApiError && error.code === 'slot_unavailable')
      expect(error.data.alternatives[0]?.time).toBe('11:00');
  });

  it.each([
    [400, 'invalid_json', 'BadRequestError'],
    [401, 'unauthorized', 'AuthenticationError'],
    [403, 'tenant_suspended', 'PermissionError'],
    [404, 'not_found', 'NotFoundError'],
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
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const nowhere = new Frontdesk({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
    expect(await failed(nowhere.customers.list({ search: 'Mia' }))).toMatchObject({
      message: `GET http://127.0.0.1:${port}/api/v1/customers: ECONNREFUSED`,
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
