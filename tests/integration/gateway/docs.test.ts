import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { ERROR_MEANINGS } from '@frontdesk/contracts';
import { createPages } from '@frontdesk/reference';
import { type Gateway, type GatewayWorld, get, randomAddress, startGatewayWorld } from './gateway-world.ts';

const PUBLIC_URL = 'https://desk.example.com';
const PATHS = createPages().map(({ path }) => path);
const addressOf = (path: string) => (path === 'index' ? '/docs' : `/docs/${path}`);

let world: GatewayWorld;
let gateway: Gateway;
beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway({ PUBLIC_URL });
});
afterAll(() => world.stop());

interface Text {
  status: number;
  headers: Headers;
  text: string;
}

async function ask(path: string, init: RequestInit = {}): Promise<Text> {
  const headers = { 'x-forwarded-for': randomAddress(), ...(init.headers as Record<string, string>) };
  const response = await fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const askAs = (accept: string, path: string) => ask(path, { headers: { accept } });

it('has every page as HTML and as Markdown, without a key', async () => {
  for (const path of PATHS) {
    const [page, twin, negotiated] = await Promise.all([
      askAs('text/html', addressOf(path)),
      ask(`/docs/${path}.md`),
      askAs('text/markdown, text/html;q=0.9', addressOf(path)),
    ]);
    expect([path, page.status, page.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    expect([path, twin.status, twin.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(negotiated.text).toBe(twin.text);
    const title = /^# (.+)\n/.exec(twin.text)?.[1];
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${path}.md">`);
    for (const text of [page.text, twin.text]) expect(text).not.toMatch(/\{\{\w+\}\}|undefined|\[object|NaN/);
  }
});

it('leads nowhere but to what there is: pages, their sections, and what else is public', async () => {
  const pages = new Map<string, string>();
  const pageAt = async (address: string) => {
    const known = pages.get(address);
    if (known !== undefined) return known;
    const { status, text } = await askAs('text/html', address);
    expect([address, status]).toEqual([address, 200]);
    pages.set(address, text);
    return text;
  };
  for (const path of PATHS) {
    const from = addressOf(path);
    const html = await pageAt(from);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect([from, new Set(ids).size]).toEqual([from, ids.length]);
    for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^https:/.test(href)) continue;
      const [address, anchor] = href.split('#');
      const target = await pageAt(address || from);
      if (anchor) expect(target).toContain(` id="${anchor}"`);
    }
    const { text } = await ask(`/docs/${path}.md`);
    for (const [, href = ''] of text.matchAll(/\]\(([^)#]+\.md)/g))
      await pageAt(new URL(href, `${PUBLIC_URL}/docs/${path}.md`).pathname);
  }
});

it('has a page for every public error code, to which the list of errors leads', async () => {
  const { text: list } = await ask('/docs/errors');
  for (const code of Object.keys(ERROR_MEANINGS)) {
    expect(list).toContain(`<a href="/docs/errors/${code}"><code>${code}</code></a>`);
    const { text } = await ask(`/docs/errors/${code}.md`);
    const [, body = ''] = /```http [^\n]*\n[\s\S]*?\n\n(\{[\s\S]*?\n\})\n```/.exec(text) ?? [];
    expect(JSON.parse(body)).toMatchObject({ success: false, code, message: expect.any(String) });
    expect(text).toMatch(/\n## Cause\n[\s\S]+\n## What to do\n/);
  }
});

it('shows of errors what the gateway really answers', async () => {
  const { key } = await world.newCaller(gateway);
  const authorization = `Bearer ${key}`;
  const post = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };
  const refused: Record<string, Promise<Text>> = {
    unauthorized: ask('/api/v1/services'),
    method_not_allowed: ask('/docs', { method: 'POST' }),
    payload_too_large: ask('/api/v1/customers', { ...post, body: `"${'x'.repeat(1024 * 1024)}"` }),
  };
  for (const [code, answer] of Object.entries(refused)) {
    const { status, text } = await answer;
    const { text: page } = await ask(`/docs/errors/${code}.md`);
    expect(page).toContain(`HTTP/1.1 ${status}\n`);
    expect(page).toContain(`"message": "${JSON.parse(text).message}"`);
  }
});

it('llms.txt lists every page, with the address of its Markdown', async () => {
  const { status, headers, text } = await ask('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Frontdesk API\n\n> .+\n/);
  const listed = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, address]) => address);
  expect(listed).toEqual(PATHS.map((path) => `${PUBLIC_URL}/docs/${path}.md`));
});

it('opens nothing else: 401 without a key', async () => {
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

it('404: a page that helps for people, Markdown for who reads that, the envelope for programs', async () => {
  for (const path of ['/docs/nothing', '/docs/errors/teapot', '/docs/assets/scalar']) {
    const page = await askAs('text/html', path);
    expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(page.text).toContain('<h1>Not found</h1>');
    expect(page.text).toContain('href="/docs/first-request"');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const program = await askAs('application/json', path);
    expect([program.status, JSON.parse(program.text).code]).toEqual([404, 'not_found']);
    const markdown = await ask(`${path}.md`);
    expect([markdown.status, markdown.text.slice(0, 11)]).toEqual([404, '# Not found']);
  }
  const { status, headers } = await ask('/docs/lists/');
  expect([status, headers.get('location')]).toEqual([301, '/docs/lists']);
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
    for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
      const { status, headers: sent, text } = await ask(path, { method: 'POST', headers, body: 'x' });
      expect([path, status, sent.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
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
  for (const path of ['/docs', '/docs/lists.md', '/llms.txt', '/openapi.json']) {
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
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
  for (const path of ['/docs', '/docs/operations/list-slots'])
    expect((await ask(path)).headers.get('content-security-policy')).toBe(strict);
  const { headers, text } = await ask('/docs/console');
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
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

it('429: an address that reads too much without a key, and requests with a key still pass from there', async () => {
  const { key } = await world.newCaller(gateway);
  const flooding = { 'x-forwarded-for': randomAddress() };
  let last: Text | undefined;
  for (let sent = 0; sent < 1_300 && last?.status !== 429; sent += 1)
    last = await ask('/docs/errors', { method: 'HEAD', headers: flooding });
  expect([last?.status, Number(last?.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await ask('/openapi.json', { headers: flooding })).status).toBe(429);
  expect(
    (await get(gateway, '/api/v1/services', { ...flooding, authorization: `Bearer ${key}` })).status,
  ).toBe(200);
  expect((await ask('/docs/errors')).status).toBe(200);
});

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
