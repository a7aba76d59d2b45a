import { systemSql } from '@frontdesk/database';
import { eventually, type Receiver, startReceiver } from '../../../support/index.ts';
import { adminWithEndpoint, deliver } from '../hooks-of.ts';
import type { Browser } from '../inject-browser.ts';
import { ended, liveMarkups, withoutAge } from '../live-markups.ts';
import { NOBODY, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

/** As if its endpoint had a long backlog. */
const keepRunning = systemSql<never, { id: number }>(
  'test_keep_running',
  `update replays set status = 'running', finished_at = null, next_at = now() + interval '1 hour' where id = $id`,
);

let world: SettingsWorld;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startSettingsWorld({ hasEvents: true }), startReceiver()]);
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({ status: 200 }));
  withoutAge();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** Wall times of Berlin, where the tenants are, as a form has them: far from now, as clocks may change just now. */
const wallTime = (hours: number) =>
  Temporal.Now.zonedDateTimeISO('Europe/Berlin')
    .add({ hours })
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
const aroundNow = () => ({
  kind: 'window',
  timezone: 'Europe/Berlin',
  from: wallTime(-12),
  to: wallTime(12),
});

const done = (browser: Browser, path: string) =>
  eventually(async () => {
    const [replay] = (await browser.json('GET', `${path}/replays`)).body.data;
    expect(replay.status).toBe('done');
    return replay;
  });

it('resends all that failed: says how many first, then how far it is', async () => {
  receiver.respondWith(() => ({ status: 500 }));
  const { browser, tenantId, path } = await adminWithEndpoint(world, receiver);
  await deliver(world, browser, tenantId, 3);
  const before = await browser.html(path);
  expect(before.page).toContain('Resend all failed (3)');
  expect(before.page).toContain('About 3 deliveries');

  receiver.respondWith(() => ({ status: 200 }));
  receiver.requests.length = 0;
  const begun = await browser.form(`${path}/replays`, { kind: 'failed' });
  expect([begun.status, begun.headers.location]).toEqual([303, `${path}?done=replay-begun#replays`]);
  expect(await done(browser, path)).toMatchObject({ kind: 'failed', total: 3, queued: 3, skipped: 0 });
  await eventually(() => expect(receiver.requests).toHaveLength(3));
  const after = await browser.html(path);
  expect(after.page).toMatch(/<progress max="3" value="3"/);
  expect(after.page).toContain('3 of 3: 3 queued, 0 left out');
  await eventually(async () =>
    expect((await browser.html(path)).page).toContain('no delivery has used up its attempts'),
  );
  expect((await browser.html('/settings/audit')).page).toContain('Started a replay');
});

it('replays a window on the business’s clocks: what it lacks, or all of it', async () => {
  const { browser, tenantId, path } = await adminWithEndpoint(world, receiver);
  await deliver(world, browser, tenantId, 2);
  await browser.form(`${path}/replays`, aroundNow());
  expect(await done(browser, path)).toMatchObject({ kind: 'window', queued: 0, skipped: 2 });

  const all = { ...aroundNow(), include_delivered: 'true' };
  const begun = await browser.json('POST', `${path}/replays`, all, browser.csrfToken());
  expect([begun.status, begun.body.data.include_delivered]).toEqual([202, true]);
  expect(await done(browser, path)).toMatchObject({ total: 2, queued: 2 });
  await eventually(() => expect(receiver.requests).toHaveLength(4));
});

it('keeps what was typed and says beside the field what is wrong', async () => {
  const { browser, path } = await adminWithEndpoint(world, receiver);
  const typed = {
    ...aroundNow(),
    from: '2026-03-02T09:00',
    to: '2026-03-01T09:00',
    include_delivered: 'true',
  };
  const { status, page } = await browser.form(`${path}/replays`, typed);
  expect(status).toBe(422);
  expect(page).toContain('value="2026-03-02T09:00"');
  expect(page).toMatch(/id="to-error">The end must be after the start/);
  expect(page).toContain('name="include_delivered" value="true" checked');
  const far = await browser.form(`${path}/replays`, { ...typed, from: '2020-01-01T00:00' });
  expect([far.status, far.page]).toEqual([422, expect.stringMatching(/id="to-error">.*days/)]);
  const none = await browser.json('POST', `${path}/replays`, {});
  expect(Object.keys(none.body.errors)).toEqual(['from', 'to']);
});

it('says why nothing can be sent: paused, or one is running', async () => {
  const { browser, tenantId, path } = await adminWithEndpoint(world, receiver);
  await deliver(world, browser, tenantId, 1);
  await browser.form(`${path}/pause`, {});
  expect((await browser.html(path)).page).toContain('while the endpoint is paused');
  const refused = await browser.form(`${path}/replays`, { kind: 'failed' });
  expect([refused.status, refused.page]).toEqual([422, expect.stringContaining('Resume it first.')]);
});

it('one that runs is shown live, can’t be joined by another, and is stopped', async () => {
  const on = await world.startSettings();
  const { browser, tenantId, path, id } = await adminWithEndpoint(world, receiver, on);
  await deliver(world, browser, tenantId, 1);
  await browser.form(`${path}/replays`, aroundNow());
  const replay = await done(browser, path);
  const live = await liveMarkups(on, browser, `${path}/live`);
  expect((await live.next()).value).toContain('Done');

  await world.webhooks.database.system.run(keepRunning, { id: replay.id });
  expect((await live.next()).value).toMatch(/Running[\s\S]*<progress[\s\S]*Stop/);
  const another = await browser.json('POST', `${path}/replays`, aroundNow());
  expect([another.status, another.body.errors]).toEqual([422, { replay: [expect.any(String)] }]);

  const cancel = `/settings/api/replays/${replay.id}/cancel`;
  const stopped = await browser.form(cancel, {});
  expect([stopped.status, stopped.headers.location]).toEqual([
    303,
    `/settings/api/webhooks/${id}?done=replay-cancelled#replays`,
  ]);
  expect((await live.next()).value).toContain('Cancelled');
  expect((await browser.json('POST', cancel)).body.data.status).toBe('cancelled');

  await browser.json('POST', '/settings/sign-out', {});
  await ended(live);
});

it('an endpoint’s address and events are changed, and no name it goes by is lost', async () => {
  const { browser, path } = await adminWithEndpoint(world, receiver);
  const alias = { events: ['appointment.booked', 'call.ended'] };
  await browser.json('PATCH', path, alias);
  const { page } = await browser.html(path);
  expect(page).toMatch(/value="appointment.booked" checked/);
  expect(page).not.toMatch(/value="appointment.created" checked/);

  const wrong = await browser.form(path, { url: 'ftp://typed.example' });
  expect(wrong.status).toBe(422);
  expect(wrong.page).toContain('value="ftp://typed.example"');
  expect(wrong.page).toContain('id="events-error"');
  const url = `${receiver.url}/moved`;
  const changed = await browser.form(path, { url, events: ['call.ended'] });
  expect([changed.status, changed.headers.location]).toEqual([303, `${path}?done=endpoint-changed`]);
  expect((await browser.json('GET', path)).body.data).toMatchObject({ url, events: ['call.ended'] });
  expect((await browser.html('/settings/audit')).page).toContain(`${receiver.url} → ${url}`);
});

it('webhooks away: the page says so, and what was typed is kept', async () => {
  const { tenantId, path } = await adminWithEndpoint(world, receiver);
  const on = await world.startSettings({ WEBHOOKS_INTERNAL_URL: NOBODY });
  const { browser } = await world.signedIn({ tenantId, on });
  const shown = await browser.html(path);
  expect([shown.status, shown.page]).toEqual([
    200,
    expect.stringContaining('The endpoint can’t be shown right now'),
  ]);
  const typed = { url: 'https://typed.example/hook', events: ['call.ended'] };
  const refused = await browser.form(path, typed);
  expect([refused.status, refused.page]).toEqual([503, expect.stringContaining(`value="${typed.url}"`)]);
  const resent = await browser.form('/settings/api/deliveries/5/resend', {});
  expect([resent.status, resent.page]).toEqual([503, expect.stringContaining('Not available right now')]);
});
