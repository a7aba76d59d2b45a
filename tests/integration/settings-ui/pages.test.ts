import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { PUBLIC_URL, type SettingsWorld, startSettingsWorld, UNANSWERED } from './settings-world.ts';

let world: SettingsWorld;
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(() => world.stop());

it('escapes what people typed, everywhere', async () => {
  const { browser } = await world.signedIn();
  const name = `<img src=x onerror=alert(1)>'"&`;
  const made = await browser.form('/settings/api/keys', { name });
  expect(made.status).toBe(201);
  const { page } = await browser.html('/settings/api');
  const audit = await browser.html('/settings/audit');
  for (const text of [made.page, page, audit.page]) {
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&#39;&quot;&amp;');
  }
});

it('shows a key once, with a command to try it; a reload doesn’t show it again', async () => {
  const { browser } = await world.signedIn();
  const { page } = await browser.form('/settings/api/keys', { name: 'Website' });
  const [key = ''] = /fd_live_[0-9A-Za-z]{38}/.exec(page) ?? [];
  expect(page).toContain(`curl -H &#39;Authorization: Bearer ${key}&#39; ${PUBLIC_URL}/api/v1/business`);
  expect((await browser.html('/settings/api')).page).not.toContain(key);
});

it('keeps what was typed when a form is refused, and says what is wrong beside the field', async () => {
  const { browser } = await world.signedIn();
  const url = 'ftp://example.com/typed';
  const { status, page } = await browser.form('/settings/api/webhooks', {
    url,
    events: ['call.ended', 'call.missed'],
  });
  expect(status).toBe(422);
  expect(page).toContain(`value="${url}"`);
  expect(page).toContain('id="url-error"');
  expect(page.match(/ checked/g)).toHaveLength(2);
  expect(page).toContain('<details class="adding" open>');
});

it('takes one checked event as well as several', async () => {
  const { browser } = await world.signedIn();
  const { status, page } = await browser.form('/settings/api/webhooks', {
    url: UNANSWERED,
    events: 'call.ended',
  });
  expect(status).toBe(201);
  expect(page).toMatch(/whsec_[A-Za-z0-9+/=]{40,}/);
});

it('403 for a form without its token, and nothing typed is lost', async () => {
  const { browser } = await world.signedIn();
  const { status, page } = await browser.form('/settings/api/keys', { name: 'Typed name', _csrf: 'forged' });
  expect(status).toBe(403);
  expect(page).toContain('value="Typed name"');
  expect(page).toContain('has expired');
  const { body } = await browser.json('GET', '/settings/api');
  expect(body.data.keys).toEqual([]);
});

it('goes back to the page after a change, which says so', async () => {
  const { browser } = await world.signedIn();
  const { body } = await browser.json('POST', '/settings/api/webhooks', {
    url: UNANSWERED,
    events: ['call.ended'],
  });
  const answer = await browser.form(`/settings/api/webhooks/${body.data.id}/pause`, {});
  expect([answer.status, answer.headers.location]).toEqual([
    303,
    `/settings/api/webhooks/${body.data.id}?done=endpoint-paused`,
  ]);
  expect((await browser.html('/settings/api?done=endpoint-paused')).page).toContain('Endpoint paused');
  const forged = await browser.html('/settings/api?done=%3Cb%3E');
  expect(forged.page).not.toContain('role="status" data-focus');
});

it('shows times in the business’s zone', async () => {
  const { browser } = await world.signedIn();
  await browser.json('POST', '/settings/api/keys', { name: 'Website' });
  const { page } = await browser.html('/settings/api');
  const [{ created_at }] = (await browser.json('GET', '/settings/api')).body.data.keys;
  const shown = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' });
  expect(page).toContain('title="Europe/Berlin"');
  expect(page).toContain(shown.format(new Date(created_at)));
});

it('writes down who changed what, and from where', async () => {
  const { browser, email } = await world.signedIn();
  await browser.json('POST', '/settings/api/keys', { name: 'Website' });
  const { page } = await browser.html('/settings/audit');
  expect(page).toMatch(/Created an API key<br><span class="hint">Website \(…\w{4}\)/);
  expect(page).toContain('Signed in');
  expect(page).toContain(email);
  expect(page).toContain(browser.address);
  expect(page).toContain('Operator');
});

it('lets a page do nothing but its own, and browsers keep nothing but assets', async () => {
  const { browser } = await world.signedIn();
  const { headers, page } = await browser.html('/settings/api');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
  );
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
  });
  expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+="/);
  const assets = [...page.matchAll(/\/settings\/assets\/[\w.-]+/g)].map(([path]) => path);
  expect(assets).toHaveLength(3);
  for (const path of assets) {
    const asset = await world.browser().html(path);
    expect([asset.status, asset.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  }
  expect((await world.browser().html('/settings/assets/styles.000000000000.css')).status).toBe(404);
});

it('is compressed, and all of it together under 50 KB', async () => {
  const { browser } = await world.signedIn();
  const cookie = `frontdesk=${browser.jar.get('frontdesk')}`;
  const fetched = async (url: string) => {
    const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br' };
    const { rawPayload, headers: sent } = await world.settings.api.inject({ url, headers });
    // What fits into one packet anyway is sent as it is.
    if (sent['content-encoding'] !== 'br') expect(rawPayload.length).toBeLessThan(1_024);
    return rawPayload;
  };
  const page = await fetched('/settings/api');
  const markup = brotliDecompressSync(page).toString();
  const assets = [...markup.matchAll(/\/settings\/assets\/[\w-]+\.\w+\.(?:css|js)/g)].map(([path]) => path);
  const sizes = (await Promise.all(assets.map(fetched))).map(({ length }) => length);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(50_000);
});

it('styles and scripts are the same in every encoding', async () => {
  const { page } = await world.browser().html('/settings/sign-in');
  const [, file = ''] = /href="(\/settings\/assets\/[^"]+\.css)"/.exec(page) ?? [];
  const inEncoding = async (encoding: string) => {
    const headers = { 'accept-encoding': encoding };
    const { rawPayload, headers: sent } = await world.settings.api.inject({ url: file, headers });
    expect(sent.vary).toContain('accept-encoding');
    return { content: rawPayload, encoding: sent['content-encoding'] };
  };
  const [plain, brotli, gzip, refused] = await Promise.all(
    ['identity', 'gzip, deflate, br, zstd', 'gzip', 'br;q=0'].map(inEncoding),
  );
  const encodings = [plain, brotli, gzip, refused].map((answer) => answer?.encoding);
  expect(encodings).toEqual([undefined, 'br', 'gzip', undefined]);
  expect(brotliDecompressSync(brotli?.content ?? '')).toEqual(plain?.content);
  expect(gunzipSync(gzip?.content ?? '')).toEqual(plain?.content);
  expect(refused?.content).toEqual(plain?.content);
});
