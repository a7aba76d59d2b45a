import {
  API_KEY,
  answer,
  BOOKING,
  done,
  failed,
  failure,
  frontdesk,
  NOW,
  sent,
  server,
  startForEachTest,
} from '../testing/scripted-server.ts';
import { ConnectionError, Frontdesk, type RetryNotice, TimeoutError } from './index.ts';

startForEachTest();

describe('an answer', () => {
  it('is the data, and with its headers on request', async () => {
    const limits = {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': '1772445600',
      'idempotent-replayed': 'true',
    };
    answer({ ...done, headers: { ...done.headers, ...limits } });
    expect(await frontdesk.appointments.get(5)).toEqual({ id: 5 });
    expect(await frontdesk.appointments.get(5).withResponse()).toMatchObject({
      data: { id: 5 },
      status: 200,
      requestId: 'req-1',
      etag: 'W/"3"',
      isReplayed: true,
      rateLimit: { limit: 100, remaining: 99, resetsAt: new Date('2026-03-02T10:00:00Z') },
    });
  });

  it('is asked for with the key, what was given, and nothing else', async () => {
    answer(done);
    await frontdesk.appointments.update(5, { notes: null }, { ifMatch: 'W/"3"' });
    const [{ headers, rawBody } = { headers: {}, rawBody: '' }] = server.requests;
    expect(headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'if-match': 'W/"3"',
      'user-agent': expect.stringMatching(/^frontdesk-client\/\d/),
    });
    expect(headers).not.toHaveProperty('idempotency-key');
    expect(rawBody).toBe('{"notes":null}');
  });
});

it('another secret is asked for once, under a key, and only of the version that is known', async () => {
  answer(done);
  await frontdesk.webhooks.rollSecret(6, { force: true }, { ifMatch: '"3"', idempotencyKey: 'roll-1' });
  const [{ method, path, headers, rawBody } = { method: '', path: '', headers: {}, rawBody: '' }] =
    server.requests;
  expect([method, path, rawBody]).toEqual(['POST', '/api/v1/webhooks/6/roll-secret', '{"force":true}']);
  expect(headers).toMatchObject({ 'if-match': '"3"', 'idempotency-key': 'roll-1' });
});

it('a time is held and booked under keys of their own, and given back of the version that is known', async () => {
  answer(done);
  const { customer_id, ...place } = BOOKING;
  await frontdesk.holds.create({ ...place, seconds: 60 }, { idempotencyKey: 'hold-1' });
  await frontdesk.holds.book(5, { customer_id }, { idempotencyKey: 'book-1' });
  await frontdesk.holds.release(5, { ifMatch: '"3"' });
  expect(sent()).toEqual([
    'POST /api/v1/holds',
    'POST /api/v1/holds/5/appointment',
    'DELETE /api/v1/holds/5',
  ]);
  const [hold, book, release] = server.requests;
  expect(JSON.parse(hold?.rawBody ?? '')).toEqual({ ...place, seconds: 60 });
  expect(JSON.parse(book?.rawBody ?? '')).toEqual({ customer_id });
  expect(hold?.headers).toMatchObject({ 'idempotency-key': 'hold-1' });
  expect(book?.headers).toMatchObject({ 'idempotency-key': 'book-1' });
  expect(release?.headers).toMatchObject({ 'if-match': '"3"' });
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

  it.each([
    ['a negative number', '-1'],
    ['a fraction', '1.5'],
    ['two numbers', '5, 10'],
    ['words', 'soon'],
  ])('after a wait of its own where Retry-After is %s', async (_case, header) => {
    answer(failure(429, 'rate_limited', {}, { 'retry-after': header }));
    expect(await failed(frontdesk.services.list({ maxRetries: 0 }))).toMatchObject({ retryAfterMs: null });
  });

  it('at the date of Retry-After, by the clock of the answer and not by the program’s', async () => {
    const clock = { 'retry-after': 'Wed, 01 Jan 2020 00:00:20 GMT', date: 'Wed, 01 Jan 2020 00:00:00 GMT' };
    answer(failure(429, 'rate_limited', {}, clock));
    expect(await failed(frontdesk.services.list({ maxRetries: 0 }))).toMatchObject({ retryAfterMs: 20_000 });
  });

  it.each([
    [429, 'rate_limited', 'RateLimitError', 3],
    [429, 'rate_limited', 'RateLimitError', 3_600],
    [503, 'service_unavailable', 'ServerError', 3],
  ])(
    'nothing after a %d %s that asks for more than two seconds: %s says at once how long',
    async (status, code, name, seconds) => {
      answer(failure(status, code, {}, { 'retry-after': String(seconds) }), done);
      const error = await failed(frontdesk.appointments.create(BOOKING));
      expect(error).toMatchObject({ name, code, retryAfterMs: seconds * 1_000 });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('nothing once all waits that answers ask for would be longer than two seconds together', async () => {
    answer(failure(429, 'rate_limited', {}, { 'retry-after': '1' }));
    const waits: number[] = [];
    const onRetry = ({ waitMs }: RetryNotice) => void waits.push(waitMs);
    expect(await failed(frontdesk.services.list({ maxRetries: 9, onRetry }))).toMatchObject({ status: 429 });
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.reduce((sum, waitMs) => sum + waitMs)).toBeLessThanOrEqual(2_000);
  });

  it('nothing after a 429 that names no wait, once two seconds have gone', async () => {
    answer(failure(429, 'rate_limited'));
    const waits: number[] = [];
    const onRetry = ({ waitMs }: RetryNotice) => void waits.push(waitMs);
    expect(await failed(frontdesk.services.list({ maxRetries: 9, onRetry }))).toMatchObject({ status: 429 });
    expect(waits.reduce((sum, waitMs) => sum + waitMs)).toBeLessThanOrEqual(2_000);
  });

  it('what asks for a longer wait, where the client or the call allows that; onRetry hears of it before', async () => {
    const busy = failure(429, 'rate_limited', {}, { 'retry-after': '3' });
    const notices: RetryNotice[] = [];
    const onRetry = (notice: RetryNotice) => void notices.push(notice);
    const patient = new Frontdesk({
      apiKey: API_KEY,
      baseUrl: server.url,
      maxRetryWaitMs: 60_000,
      onRetry,
    });
    answer(busy, done);
    expect(await patient.appointments.get(5)).toEqual({ id: 5 });
    answer(busy, done);
    expect(await frontdesk.appointments.get(5, { maxRetryWaitMs: 60_000, onRetry })).toEqual({ id: 5 });
    expect(notices).toHaveLength(2);
    for (const { error, failures, waitMs } of notices) {
      expect(error).toMatchObject({ code: 'rate_limited', retryAfterMs: 3_000 });
      expect(failures).toBe(1);
      expect(waitMs).toBeGreaterThanOrEqual(3_000);
    }
    answer(busy);
    expect(await failed(patient.services.list({ maxRetryWaitMs: 0 }))).toMatchObject({ status: 429 });
  });

  it('nothing where onRetry throws: its error ends the call', async () => {
    answer(failure(503, 'service_unavailable', {}, NOW));
    const reason = new Error('The caller has hung up.');
    const onRetry = () => {
      throw reason;
    };
    expect(await failed(frontdesk.services.list({ onRetry }))).toBe(reason);
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
    ['while it waits for its next attempt', failure(503, 'service_unavailable', {}, { 'retry-after': '2' })],
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
