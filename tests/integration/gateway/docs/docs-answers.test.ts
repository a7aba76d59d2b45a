import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { bearer, get, randomAddress, withinOneMinute } from '../gateway-world.ts';
import { ask, askAs, gateway, startGatewayWithDocs, type Text, world } from './docs-stranger.ts';

startGatewayWithDocs();

it('401 without a key for everything else', async () => {
  const beside = [
    '/',
    '/doc',
    '/docsx',
    '/llms',
    '/llms.txt/x',
    '/api/v1/docs',
    '/api/v1/customers',
    '/docs/../api/v1',
  ];
  for (const path of beside) {
    const { status, body } = await get(gateway, path);
    expect([path, status, body?.code]).toEqual([path, 401, 'unauthorized']);
  }
});

it('as the guide on requests says: no CORS of the API, and any origin reads what is meant for programs', async () => {
  const { key } = await world.newCaller(gateway);
  const origin = { origin: 'https://shop.example' };
  const preflight = { ...origin, 'access-control-request-method': 'POST' };
  const allowedBy = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const { status, headers: sent } = await ask(path, { method, headers });
    return [status, [...sent.keys()].filter((name) => name.startsWith('access-control-'))];
  };
  expect(await allowedBy('/api/v1/customers', preflight, 'OPTIONS')).toEqual([401, []]);
  expect(await allowedBy('/api/v1/services', { ...origin, ...bearer(key) })).toEqual([200, []]);
  for (const path of ['/openapi.json', '/llms.txt', '/docs/requests.md'])
    expect(await allowedBy(path, origin)).toEqual([200, ['access-control-allow-origin']]);
});

it('404: a page that helps for people, Markdown for who reads that, the envelope for programs', async () => {
  for (const path of ['/docs/nothing', '/docs/errors/teapot', '/docs/assets/scalar']) {
    const page = await askAs('text/html', path);
    expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(page.text).toContain('<h1>Not found</h1>');
    expect(page.text).toContain('href="/docs/first-request"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const program = await askAs('application/json', path);
    expect([program.status, JSON.parse(program.text).code]).toEqual([404, 'not_found']);
    expect(program.headers.get('cache-control')).toBe('no-store');
    const markdown = await ask(`${path}.md`);
    expect([markdown.status, markdown.text.slice(0, 11)]).toEqual([404, '# Not found']);
  }
});

it('301: from other addresses of a page to its own, and from nowhere to nowhere', async () => {
  const moved = { '/docs/lists/': '/docs/lists', '/docs///': '/docs', '/docs/console/': '/docs/console' };
  const ofStart = { '/docs/index': '/docs', '/docs.md': '/docs/index.md' };
  for (const [path, address] of Object.entries({ ...moved, ...ofStart })) {
    const { status, headers } = await ask(path);
    expect([path, status, headers.get('location')]).toEqual([path, 301, address]);
    expect((await ask(address)).status).toBe(200);
  }
  for (const path of ['/docs/nothing/', '/docs/%5cexample.com/', '/docs/assets/'])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});

it('405: whatever would change something, with or without a key', async () => {
  const { key } = await world.newCaller(gateway);
  for (const path of [
    '/docs',
    '/docs/lists',
    '/docs/nothing',
    '/docs/assets/scalar.js',
    '/llms.txt',
    '/openapi.json',
  ])
    for (const [method, headers] of [
      ['POST', {}],
      ['POST', { authorization: `Bearer ${key}` }],
      ['OPTIONS', {}],
    ] as const) {
      const { status, headers: sent, text } = await ask(path, { method, headers, body: 'x' });
      expect([path, status, sent.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      expect(sent.get('cache-control')).toBe('no-store');
      expect(JSON.parse(text).code).toBe('method_not_allowed');
    }
});

it('HEAD answers like GET, without the body', async () => {
  for (const path of ['/docs', '/docs/lists.md', '/llms.txt', '/openapi.json', '/docs/assets/scalar.js']) {
    const [whole, head] = await Promise.all([ask(path), ask(path, { method: 'HEAD' })]);
    expect([path, head.status, head.text]).toEqual([path, 200, '']);
    for (const name of ['content-type', 'etag', 'cache-control', 'vary'])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, whole.headers.get(name)]);
  }
});

it('may be kept and asked for again: an ETag, and 304 while nothing has changed', async () => {
  for (const path of ['/docs', '/docs/lists.md', '/llms.txt', '/openapi.json', '/docs/assets/scalar.js']) {
    const { headers } = await ask(path);
    expect([path, headers.get('cache-control')]).toEqual([path, 'public, max-age=300']);
    const again = await ask(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([path, again.status, again.text]).toEqual([path, 304, '']);
  }
  const { text } = await ask('/docs');
  const [, style = ''] = /href="(\/docs\/assets\/docs\.[^"]+)"/.exec(text) ?? [];
  expect((await ask(style)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

it('holds pages to a policy: nothing but their own scripts and styles, and the console its own gateway', async () => {
  const strict =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  for (const path of ['/docs', '/docs/operations/list-slots'])
    expect((await ask(path)).headers.get('content-security-policy')).toBe(strict);
  const { headers, text } = await ask('/docs/console');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'none'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(text).not.toMatch(/<script>|<style|style=|https?:/);
});

it('sends little: pages of some kilobytes, and the console’s script compressed', async () => {
  for (const path of ['/docs', '/docs/calls', '/docs/webhooks', '/docs/operations/create-appointment']) {
    const compressed = await raw(path, 'br');
    expect([path, compressed.encoding]).toEqual([path, 'br']);
    expect([path, compressed.rawPayload.length < 12_000]).toEqual([path, true]);
  }
  const script = await raw('/docs/assets/scalar.js', 'gzip');
  expect(script.encoding).toBe('gzip');
  expect(script.rawPayload.length).toBeLessThan(2_000_000);
  const plain = await raw('/docs/assets/scalar.js', 'identity');
  expect(plain.encoding).toBeNull();
  expect(plain.rawPayload.equals(gunzipSync(script.rawPayload))).toBe(true);
});

it('429: an address that reads too much without a key, and requests with a key still pass from there', () =>
  withinOneMinute(async () => {
    const { key } = await world.newCaller(gateway);
    const flooding = { 'x-forwarded-for': randomAddress() };
    let last: Text | undefined;
    for (let sent = 0; sent < 1_300 && last?.status !== 429; sent += 1)
      last = await ask('/docs/errors', { method: 'HEAD', headers: flooding });
    expect([last?.status, Number(last?.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await ask('/openapi.json', { headers: flooding })).status).toBe(429);
    const withKey = { ...flooding, ...bearer(key) };
    expect((await get(gateway, '/api/v1/services', withKey)).status).toBe(200);
    expect((await ask('/docs/errors')).status).toBe(200);
  }));

/** As it is sent: fetch unpacks what it gets. */
async function raw(path: string, encoding: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    rawPayload: Buffer;
    encoding: string | null;
  }>();
  const headers = { 'accept-encoding': encoding, 'x-forwarded-for': randomAddress() };
  const sent = request(`${gateway.url}${path}`, { headers }, (response) => {
    response.toArray().then((chunks) => {
      resolve({ rawPayload: Buffer.concat(chunks), encoding: response.headers['content-encoding'] ?? null });
    }, reject);
  });
  sent.on('error', reject).end();
  return promise;
}
