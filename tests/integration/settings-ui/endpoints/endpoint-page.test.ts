import { systemSql } from '@frontdesk/database';
import { eventually, type Receiver, startReceiver } from '../../../support/index.ts';
import { appointmentEvents } from '../../webhooks/sample-events.ts';
import { adminWithEndpoint, deliver } from '../hooks-of.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

/** As if its replay had a long backlog. */
const keepRunning = systemSql<never, { endpointId: number }>(
  'test_keep_replay_running',
  `update replays set status = 'running', finished_at = null, next_at = now() + interval '1 hour' where endpoint_id = $endpointId`,
);

const endReplay = systemSql<never, { endpointId: number }>(
  'test_end_replay',
  `update replays set status = 'done', finished_at = now() where endpoint_id = $endpointId`,
);

let world: SettingsWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startSettingsWorld({ hasEvents: true }), startReceiver()]);
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({ status: 200 }));
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** A paused endpoint, and so many events that have come in since. */
async function paused(count: number) {
  const admin = await adminWithEndpoint(world, receiver);
  const { browser, path, tenantId } = admin;
  await browser.form(`${path}/pause`, {});
  await world.webhooks.publish(...appointmentEvents(tenantId, count));
  await shows(browser, path, count === 1 ? '1 event</strong> came in' : `${count} events</strong> came in`);
  return admin;
}

const shows = (browser: Browser, path: string, text: string) =>
  eventually(async () => expect((await browser.html(path)).page).toContain(text));

it('a pause says what becomes of events, and resuming sends those that came in meanwhile', async () => {
  const { browser, path } = await adminWithEndpoint(world, receiver);
  const says = 'While paused, events are not sent. You can send them when you resume.';
  for (const address of ['/settings/api', path]) expect((await browser.html(address)).page).toContain(says);
  await browser.form(`${path}/pause`, {});
  const none = (await browser.html(path)).page;
  expect(none).toContain('No events have come in meanwhile.');
  expect(none).toMatch(/Paused since <time/);

  const other = await paused(3);
  expect((await other.browser.html(other.path)).page).toContain('Resume and send 3 events');
  const resumed = await other.browser.form(`${other.path}/resume`, { missed: 'send' });
  expect([resumed.status, resumed.headers.location]).toEqual([
    303,
    `${other.path}?done=endpoint-resumed-sending`,
  ]);
  await eventually(() => expect(receiver.requests).toHaveLength(3));
  await shows(other.browser, other.path, '3 of 3: 3 queued, 0 left out');
  expect((await other.browser.html(other.path)).page).not.toContain('not been sent');
});

it('resumed without them, they can be sent still', async () => {
  const { browser, path } = await paused(1);
  await browser.form(`${path}/resume`, { missed: 'leave' });
  await shows(browser, path, '1 event came in before it was resumed');
  expect(receiver.requests).toHaveLength(0);
  const begun = await browser.form(`${path}/replays`, { kind: 'missed' });
  expect(begun.status).toBe(303);
  await shows(browser, path, '1 of 1: 1 queued, 0 left out');
  await eventually(async () =>
    expect((await browser.json('GET', '/settings/api')).body.data.deliveries).toMatchObject([
      { delivered_at: expect.any(String) },
    ]),
  );
  expect(receiver.requests).toHaveLength(1);
});

it('where they can’t be sent just now it is resumed all the same, and says so', async () => {
  const { browser, path, id, tenantId } = await adminWithEndpoint(world, receiver);
  await deliver(world, browser, tenantId, 1);
  await browser.form(`${path}/replays`, { kind: 'failed' });
  await eventually(async () =>
    expect((await browser.json('GET', `${path}/replays`)).body.data).toMatchObject([{ status: 'done' }]),
  );
  await world.webhooks.database.system.run(keepRunning, { endpointId: id });
  await browser.form(`${path}/pause`, {});
  await world.webhooks.publish(...appointmentEvents(tenantId, 2));
  await shows(browser, path, '2 events</strong> came in');
  const { status, page } = await browser.form(`${path}/resume`, { missed: 'send' });
  expect([status, page]).toEqual([422, expect.stringContaining('has a replay that is still running')]);
  await world.webhooks.database.system.run(endReplay, { endpointId: id });
  await shows(browser, path, '2 events came in before it was resumed');
  expect((await browser.json('GET', path)).body.data.state).toBe('active');
});

it('programs resume without saying what becomes of events', async () => {
  const { browser, path } = await paused(1);
  const answer = await browser.json('POST', `${path}/resume`);
  expect([answer.status, answer.body.data.state]).toEqual([200, 'active']);
  expect((await browser.json('GET', `${path}/replays`)).body.data).toEqual([]);
});

it('one line of health, the same on all pages that have it, and counts that say their period', async () => {
  const { browser, path, tenantId } = await adminWithEndpoint(world, receiver);
  const pages = ['/settings/statistics', '/settings/api', path];
  await shows(browser, path, 'Nothing has been sent to it yet.');
  await deliver(world, browser, tenantId, 1);
  await shows(browser, path, 'Deliveries are arriving.');
  receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
  await world.webhooks.publish(...appointmentEvents(tenantId, 1));
  for (const address of pages)
    await eventually(async () =>
      expect((await browser.html(address)).page).toMatch(
        /Failing since <time.*: HTTP 503\. Next attempt <time/,
      ),
    );
  // The desk only hears that there is something to mend, and where.
  const { page: today } = await browser.html('/settings');
  expect(today).toContain(
    `<a href="${path}"><span class="count bad">1</span> <span class="what">webhook endpoint receives nothing`,
  );
  const { page } = await browser.html(path);
  expect(page).toContain('Last 24 hours: 1 delivered, 0 failed · Now: 1 pending');
  expect(page).toContain('Nothing to resend: no delivery has used up its attempts.');
  await browser.form(`${path}/pause`, {});
  for (const address of pages) expect((await browser.html(address)).page).toMatch(/Paused since <time/);
});

it('a test event’s answer is on the page that sent it; other deliveries are not shown there', async () => {
  const { browser, path, tenantId } = await adminWithEndpoint(world, receiver);
  const [delivery] = await deliver(world, browser, tenantId, 1);
  const sent = await browser.form(`${path}/test`, {});
  expect([sent.status, sent.headers.location]).toEqual([
    303,
    expect.stringMatching(new RegExp(`^${path}\\?test=\\d+#test-answer$`)),
  ]);
  const [address = ''] = String(sent.headers.location).split('#');
  await shows(browser, address, 'The test event arrived: HTTP 200 after');
  for (const test of [delivery?.id, '1', 'x'])
    expect((await browser.html(`${path}?test=${test}`)).page).not.toContain('The test event');
});

it('a delivery that waits is sent now; the log finds it by its event, in pages and JSON', async () => {
  const { browser, tenantId } = await adminWithEndpoint(world, receiver);
  receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
  const [event] = appointmentEvents(tenantId, 1);
  if (!event) throw new Error('no event');
  await world.webhooks.publish(event);
  const search = `/settings/api?id=evt_${event.event_id}`;
  const [delivery] = await eventually(async () => {
    const { deliveries } = (await browser.json('GET', search)).body.data;
    expect(deliveries).toMatchObject([{ http_status: 503 }]);
    return deliveries;
  });
  expect((await browser.json('GET', '/settings/api?id=evt_nothing')).body.data.deliveries).toEqual([]);
  const page = `/settings/api/deliveries/${delivery.id}`;
  expect((await browser.html(search)).page).toContain(page);
  receiver.respondWith(() => ({ status: 200 }));
  expect((await browser.html(page)).page).toContain('Send now');
  const sent = await browser.form(`${page}/send-now`, {});
  expect([sent.status, sent.headers.location]).toEqual([303, `${page}?done=delivery-sent-now`]);
  await shows(browser, page, 'Resend');
  const again = await browser.form(`${page}/send-now`, {});
  expect([again.status, again.page]).toEqual([422, expect.stringContaining('The delivery is not pending')]);
});
