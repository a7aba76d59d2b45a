import { ERROR_MEANINGS, OPERATIONS } from '@frontdesk/contracts';
import { ask, startGatewayWithDocs } from './docs-stranger.ts';

startGatewayWithDocs();

const page = (question: string) => ask(`/docs/search?q=${encodeURIComponent(question)}`);
const RESULT = /<li><a href="([^"]+)">([^<]*)<\/a>\n<p>([^<]*)<\/p><\/li>/g;
const resultsOf = async (question: string) =>
  [...(await page(question)).text.matchAll(RESULT)].map(([, address]) => address);

it('finds guides, operations, records, events and errors, the best first', async () => {
  for (const [question, address] of [
    ['slot_unavailable', '/docs/errors/slot_unavailable'],
    ['call.ended', '/docs/events/call.ended'],
    ['list-slots', '/docs/operations/list-slots'],
    ['idempotency', '/docs/idempotency'],
    ['CORS', '/docs/requests#from-a-browser'],
    ['verify the signature', '/docs/webhooks#verify-the-signature'],
    ['how long are events kept?', '/docs/limits#how-long-things-are-kept'],
  ] as const)
    expect([question, (await resultsOf(question))[0]]).toEqual([question, address]);
  expect(await resultsOf('Appointment')).toContain('/docs/records/appointment');
  expect(await resultsOf('hold')).toEqual(
    expect.arrayContaining(['/docs/records/hold', '/docs/operations/create-hold']),
  );
  expect(await resultsOf('hold a time while')).toContain(
    '/docs/appointments#hold-a-time-while-the-caller-decides',
  );
  for (const question of ['idempotensy', 'idempot'])
    expect(await resultsOf(question)).toContain('/docs/idempotency');
  for (const code of Object.keys(ERROR_MEANINGS))
    expect(await resultsOf(code)).toContain(`/docs/errors/${code}`);
  for (const { id } of OPERATIONS)
    expect((await resultsOf(id)).map((found) => found?.split('#')[0])).toContain(`/docs/operations/${id}`);
});

it('leads to sections that there are', async () => {
  for (const question of ['cursor', 'retry', 'signature', 'release']) {
    for (const address of await resultsOf(question)) {
      const [path = '', anchor] = (address ?? '').split('#');
      const { status, text } = await ask(path);
      expect([address, status]).toEqual([address, 200]);
      if (anchor) expect(text).toContain(` id="${anchor}"`);
    }
  }
});

it('says what was asked and that nothing was found, and shows nothing of a question as markup', async () => {
  for (const question of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus=alert(1) x='",
    '<b>zzzz</b>',
  ]) {
    const { status, text, headers } = await page(question);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(text).not.toMatch(/<script>|<img|<b>|' onfocus/);
  }
  const { text } = await page('zzzzqqq <b>');
  expect(text).toContain('<p role="status">Nothing was found for “zzzzqqq &lt;b&gt;”.</p>');
  expect(text).toContain('value="zzzzqqq &lt;b&gt;"');
});

it('bears whatever comes as a question: none, several, long ones, broken bytes', async () => {
  const questions = [
    '',
    '?q=',
    '?q=%20',
    '?q=a&q=b',
    '?q[]=a',
    '?q=%E0%A4%A',
    '?q=%00%FF',
    '?q=%ED%A0%80',
    `?q=${'a'.repeat(8_000)}`,
  ];
  for (const query of questions) {
    const { status, text, headers } = await ask(`/docs/search${query}`);
    expect([query.slice(0, 20), status, headers.get('cache-control')]).toEqual([
      query.slice(0, 20),
      200,
      'no-store',
    ]);
    expect(text).toContain('<h1>Search</h1>');
    expect(text).not.toContain('a'.repeat(101));
  }
  const head = await ask('/docs/search?q=cursor', { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await ask('/docs/search?q=cursor', { method: 'POST' })).status).toBe(405);
});

it('every page has the field, and the form leads to the search', async () => {
  for (const path of ['/docs', '/docs/lists', '/docs/errors/not_found', '/docs/nothing']) {
    const { text } = await ask(path);
    expect(text).toContain('<form class="search" role="search" action="/docs/search">');
    expect(text).toMatch(
      /<label class="for-reader" for="(search-q)">[^<]+<\/label>\s*<input id="\1" name="q"/,
    );
  }
  expect((await ask('/docs/console')).text).not.toContain('role="search"');
});
