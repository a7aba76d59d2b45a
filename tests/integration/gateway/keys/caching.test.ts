import { gateway, key, startForEachTest, world } from '../each-test.ts';
import { bearer, type Gateway, get, send } from '../gateway-world.ts';

const PATH = '/api/v1/customers/7';
const JSON_TYPE = 'application/json; charset=utf-8';

startForEachTest();

const answerWith = (headers: Record<string, string>, status = 200, body = '{"id":7}') =>
  world.backend.respondWith(() => ({ status, headers: { 'content-type': JSON_TYPE, ...headers }, body }));
const cachingOf = ({ headers }: { headers: Headers }) => [headers.get('cache-control'), headers.get('vary')];
const VARY = 'Authorization, X-API-Key, Accept-Encoding';

describe('no shared cache keeps what a key decides', () => {
  it('with an ETag it is for its client alone, who asks again each time', async () => {
    answerWith({ etag: '"3"', vary: 'Accept', 'cache-control': 'public, max-age=60' });
    const answer = await get(gateway, PATH, bearer(key));
    expect(cachingOf(answer)).toEqual(['private, no-cache', `${VARY}, Accept`]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('without one nobody keeps it', async () => {
    answerWith({});
    expect(cachingOf(await get(gateway, PATH, bearer(key)))).toEqual(['no-store', VARY]);
  });

  it.each([
    ['an unknown path', '/api/v1/unknown', () => bearer(key), 404],
    ['no key', PATH, () => ({}), 401],
  ])('nor a refusal: %s', async (_case, path, headers, status) => {
    const answer = await get(gateway, path, headers());
    expect([answer.status, ...cachingOf(answer)]).toEqual([status, 'no-store', VARY]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('what takes no key may be kept by anyone', async () => {
    const answer = await fetch(`${gateway.url}/openapi.json`);
    await answer.text();
    expect(cachingOf(answer)).toEqual(['public, max-age=300', 'accept, accept-encoding']);
  });
});

describe('If-None-Match', () => {
  const conditional = (tags: string, method = 'GET') =>
    send(`${gateway.url}${PATH}`, { method, headers: { ...bearer(key), 'if-none-match': tags } });

  it.each([
    ['GET', '"3"'],
    ['GET', '"1", W/"3"'],
    ['GET', '*'],
    ['HEAD', '"3"'],
  ])('304 for a %s with %s, counted like any other', async (method, tags) => {
    answerWith({ etag: '"3"' });
    const before = await get(gateway, PATH, bearer(key));
    const { status, headers, body } = await conditional(tags, method);
    expect([status, body, headers.get('etag')]).toEqual([304, null, '"3"']);
    expect(cachingOf({ headers })).toEqual(['private, no-cache', VARY]);
    expect(headers.get('content-length')).toBeNull();
    const remaining = (of: Headers) => Number(of.get('x-ratelimit-remaining'));
    if (headers.get('x-ratelimit-reset') === before.headers.get('x-ratelimit-reset'))
      expect(remaining(headers)).toBe(remaining(before.headers) - 1);
  });

  it('304 also for a large answer, of which the client gets nothing', async () => {
    answerWith({ etag: '"3"' }, 200, 'x'.repeat(1_000_000));
    const { status, body } = await conditional('"3"');
    expect([status, body]).toEqual([304, null]);
  });

  it.each([
    ['another tag', '"4"', 'GET', 200],
    ['a change', '"3"', 'PATCH', 200],
    ['a failure', '"3"', 'GET', 404],
  ])('the whole answer for %s', async (_case, tags, method, status) => {
    answerWith({ etag: '"3"' }, status);
    const answer = await conditional(tags, method);
    expect([answer.status, answer.body]).toEqual([status, { id: 7 }]);
  });
});

it('responses have HSTS where the gateway is reached by https', async () => {
  const hstsOf = async (at: Gateway) => (await get(at, PATH)).headers.get('strict-transport-security');
  const secure = await world.startGateway({ PUBLIC_URL: 'https://desk.example.com' });
  expect([await hstsOf(secure), await hstsOf(gateway)]).toEqual(['max-age=31536000', null]);
});
