import { ERROR_MEANINGS, ERROR_STATUS, REPEATED_CODE, REPEATED_STATUSES } from '@frontdesk/contracts';
import { createPages } from '@frontdesk/reference';
import { ask, askAs, gateway, PUBLIC_URL, startGatewayWithDocs, type Text, world } from './docs-stranger.ts';

const PATHS = createPages().map(({ path }) => path);
const addressOf = (path: string) => (path === 'index' ? '/docs' : `/docs/${path}`);

startGatewayWithDocs();

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

it('lists every code that there is with its status, also those that API v1 never answers with', async () => {
  const { text } = await ask('/docs/errors.md');
  const listed = [...text.matchAll(/^\| \[?`(\w+)`.* \| (\d{3}) \| .+ \|$/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS);
});

it('the guide on errors names the statuses to repeat after that clients share', async () => {
  const { text } = await ask('/docs/errors.md');
  expect(text).toContain(
    `Repeat a request after ${REPEATED_STATUSES.join(', ')} and 409 [\`${REPEATED_CODE}\`]`,
  );
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

it('shows of the feed its own meta, and of lists that of pages', async () => {
  const { text: feed } = await ask('/docs/operations/list-events.md');
  expect(feed).toMatch(/"meta": \{\s+"next_cursor": "\w+",\s+"has_more": false\s+\}/);
  const { text: list } = await ask('/docs/operations/list-calls.md');
  expect(list).toMatch(/"meta": \{\s+"page": 1,\s+"per_page": 20,\s+"total": 1\s+\}/);
});

it('llms.txt lists every page, with the address of its Markdown', async () => {
  const { status, headers, text } = await ask('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Frontdesk API\n\n> .+\n/);
  const listed = [...text.matchAll(/^- \[.+\]\((.+)\): .+$/gm)].map(([, address]) => address);
  expect(listed).toEqual(PATHS.map((path) => `${PUBLIC_URL}/docs/${path}.md`));
});
