import { createConsumerProgress, systemSql } from '@frontdesk/database';
import { eventually, freePort, type Receiver, startReceiver } from '../../../support/index.ts';
import { adminWithEndpoint, deliver } from '../hooks-of.ts';
import type { Browser } from '../inject-browser.ts';
import { liveMarkups } from '../live-markups.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const createLater = systemSql<never, { tenantId: number }>(
  'test_create_endpoints_later',
  `update endpoints set created_at = now() + interval '3 hours' where tenant_id = $tenantId`,
);

let world: SettingsWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startSettingsWorld({ hasEvents: true }), startReceiver()]);
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

describe('the filter', () => {
  it.each([
    'endpoint_id=9999999999999999',
    'endpoint_id=-1',
    'event=%3Cb%3E',
    'status=lost',
    'from=0000-01-01',
    'to=9999-12-31',
    'from=2026-02-30&to=2026-13-01',
    'page=0',
    'page=99999999',
    'page=1&page=2',
  ])('%s: 422, with a link to all deliveries', async (query) => {
    const { browser } = await world.signedIn();
    const { status, page } = await browser.html(`/settings/api?${query}`);
    expect([status, page]).toEqual([422, expect.stringContaining('This address is not valid')]);
    expect(page).toContain('<a class="button" href="/settings/api">Show all deliveries</a>');
    expect(page).not.toContain('<b>');
    const refused = await browser.json('GET', `/settings/api?${query}`);
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed']);
  });

  it.each([
    'endpoint_id=&event=&status=&from=&to=',
    'from=2026-03-29&to=2026-03-29',
    'from=2026-10-25&to=2026-10-25',
  ])('%s: a page', async (query) => {
    const { browser } = await world.signedIn();
    const { status, page } = await browser.html(`/settings/api?${query}`);
    expect([status, page]).toEqual([200, expect.stringContaining('<h2 id="deliveries-title">')]);
    expect(page).not.toContain('can’t be shown');
  });

  it('says so where the last day is before the first', async () => {
    const { browser } = await world.signedIn();
    const { page } = await browser.html('/settings/api?from=2026-03-02&to=2026-03-01');
    expect(page).toMatch(/name="to" value="2026-03-01" aria-invalid="true" aria-describedby="to-error"/);
    expect(page).toContain('The last day is before the first day');
  });

  it('leads back from a page that is not there, with the filter kept', async () => {
    const { browser } = await world.signedIn();
    const { page } = await browser.html('/settings/api?status=failed&page=7000');
    expect(page).toContain('The log has no page 7000.');
    expect(page).toContain('href="/settings/api?status=failed#deliveries"');
  });
});

it('reads payloads for programs alone, not for the page, what it follows, or how many have failed', async () => {
  const webhooks = await startReceiver();
  webhooks.respondWith(() => ({ status: 503 }));
  const on = await world.startSettings({ WEBHOOKS_INTERNAL_URL: webhooks.url });
  const { browser } = await world.signedIn({ on });
  const asked = () =>
    webhooks.requests.splice(0).flatMap(({ path }) => /\/(deliveries[^?]*)/.exec(path)?.[1] ?? []);

  await browser.html('/settings/api');
  expect(asked()).toEqual(['deliveries/summaries']);
  await browser.html('/settings/api/webhooks/1');
  expect(asked()).toEqual(['deliveries/summaries']);
  const stream = await liveMarkups(on, browser, '/settings/api/deliveries/live');
  expect((await stream.next()).value).toContain('The log can’t be shown right now');
  await stream.return(undefined);
  expect(new Set(asked())).toEqual(new Set(['deliveries/summaries']));
  await eventually(async () => {
    await browser.json('GET', '/settings/api');
    expect(asked()).toEqual(['deliveries']);
  });
  await webhooks.close();
});

describe('events that Kafka deleted before they came in', () => {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const occurred = (hour: number) => new Date(now + hour * 3_600_000);
  const recordGap = (partition: number, since: number, until: number) =>
    createConsumerProgress(world.webhooks.database).recordGap('webhooks', {
      topic: world.webhooks.kafka.nameOf('appointments'),
      partition,
      isRefilled: false,
      fromOffset: '2',
      toOffset: '5',
      since: occurred(since),
      until: occurred(until),
    });

  it('are shown to tenants who had an endpoint for them then, and to nobody else', async () => {
    const [concerned, other, later] = [
      await adminWithEndpoint(world, receiver),
      await world.signedIn(),
      await world.signedIn(),
    ];
    const add = (browser: Browser, event: string) =>
      browser.json('POST', '/settings/api/webhooks', { url: receiver.url, events: [event] });
    await add(other.browser, 'customer.created');
    await add(later.browser, 'appointment.created');
    await world.webhooks.database.system.run(createLater, { tenantId: later.tenantId });
    // Of two partitions, and to a receiver one.
    await recordGap(0, -2, 1);
    await recordGap(1, -1, 2);

    const { page } = await concerned.browser.html('/settings/api');
    expect(page).toContain('Events may be missing from this log.');
    expect(page).toContain(
      `<code>GET /api/v1/appointments?updated_since=${occurred(-2).toISOString().replace('.000', '')}</code>`,
    );
    expect(page.match(/<code>GET /g)).toHaveLength(1);
    for (const { browser } of [other, later])
      expect((await browser.html('/settings/api')).page).not.toContain('missing from this log');
  });
});

describe('one delivery', () => {
  it('shows each attempt whole, whatever a receiver answered', async () => {
    const nasty = `</code></pre><script>alert(1)</script>\u202Etxt\u0000\u001B[31m`;
    receiver.respondWith(() => ({
      status: 500,
      headers: { 'x-nasty': '<img src=x onerror=alert(1)>', 'content-type': 'text/html' },
      body: nasty + 'y'.repeat(20_000),
    }));
    const { browser, tenantId } = await adminWithEndpoint(world, receiver);
    const [delivery] = await deliver(world, browser, tenantId, 1);
    const { page, status } = await browser.html(`/settings/api/deliveries/${delivery?.id}`);
    expect(status).toBe(200);
    for (const text of ['<script>', '<img', '\u202E', '\0', '\u001B']) expect(page).not.toContain(text);
    expect(page).toContain('&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;');
    expect(page).toContain('x-nasty: &lt;img');
    expect(page).toContain('\\u{202e}txt');
    expect(page).toContain('Failed: the receiver answered with an error');
    expect(page).toContain('Cut off: the log keeps the first 16 KiB');
    expect(page).toMatch(/webhook-signature: v1,/);
    expect(page.match(/<summary>Attempt \d/g)).toHaveLength(3);
    // Three answers of 16 KiB are more than the page shows of them.
    expect(page).toContain('The download below has all that is kept of it');
    expect(page.length).toBeLessThan(100_000);
    const all = await browser.html(`/settings/api/deliveries/${delivery?.id}/download`);
    expect(all.headers['content-disposition']).toBe(`attachment; filename="delivery-${delivery?.id}.json"`);
    const { attempts } = JSON.parse(all.page) as { attempts: { response_body: string }[] };
    expect(attempts.map(({ response_body }) => response_body.length > 16_000)).toEqual([true, true, true]);
  });

  it('says in words why there was no answer', async () => {
    // Nothing listens there, and nothing will.
    const gone = `http://127.0.0.1:${await freePort()}`;
    const { browser, tenantId } = await adminWithEndpoint(world, { url: gone });
    const [delivery] = await deliver(world, browser, tenantId, 1);
    const { page } = await browser.html(`/settings/api/deliveries/${delivery?.id}`);
    expect(page).toContain('No answer: no connection');
    expect(page).toContain('No response.');
  });
});

describe('the audit log', () => {
  it('has pages, which lead on and back', async () => {
    const { browser } = await world.signedIn();
    for (let number = 0; number < 52; number += 1)
      await browser.json('POST', '/settings/api/keys', { name: `Key ${number}` });
    const first = (await browser.html('/settings/audit')).page;
    expect(first).toContain('Key 51');
    expect(first).not.toContain('Key 1 ');
    expect(first).not.toContain('Newest entries');
    const [, older = ''] = /href="(\/settings\/audit\?before=\d+)"/.exec(first) ?? [];
    const second = (await browser.html(older)).page;
    expect(second).toContain('Key 0 ');
    expect(second).toContain('Newest entries');
    expect(second).not.toContain('Older entries');
    expect((await browser.html('/settings/audit?before=1')).page).toContain('There are no older entries.');
    expect((await browser.html('/settings/audit?before=x')).status).toBe(422);
  });
});
