import { brotliDecompressSync } from 'node:zlib';
import type { AppointmentStatistics, CallStatistics } from '@frontdesk/contracts';
import { eventually, type Receiver, startReceiver } from '../../../support/index.ts';
import { bearer, get } from '../../gateway/gateway-world.ts';
import { NOBODY, type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

const STATISTICS = '/settings/statistics';
const TODAY = Temporal.Now.plainDateISO('Europe/Berlin');
const dayAt = (days: number) => TODAY.add({ days }).toString();
const NONE = { scheduled: 0, completed: 0, cancelled: 0, no_show: 0 };

const appointments = (fields: Partial<AppointmentStatistics> = {}): AppointmentStatistics => ({
  date: TODAY.toString(),
  timezone: 'Europe/Berlin',
  today: NONE,
  next: [],
  working_minutes: 0,
  free_minutes: 0,
  days: Array.from({ length: 15 }, (_, index) => ({ date: dayAt(index - 7), ...NONE })),
  ...fields,
});

const calls = (fields: Partial<CallStatistics> = {}): CallStatistics => ({
  timezone: 'Europe/Berlin',
  days: Array.from({ length: 14 }, (_, index) => ({ date: dayAt(index - 13), calls: 0, missed: 0 })),
  weeks: Array.from({ length: 8 }, (_, index) => ({
    from: dayAt((index - 7) * 7),
    positive: 0,
    neutral: 0,
    negative: 0,
    unknown: 0,
  })),
  ...fields,
});

const busyDay = appointments({
  today: { scheduled: 3, completed: 2, cancelled: 1, no_show: 0 },
  next: [
    {
      id: 7,
      starts_at: `${TODAY}T14:00:00+01:00`,
      appointment_time: '14:00',
      end_time: '14:45',
      service: '<b>Cut</b> & colour',
      staff: 'Zoë',
    },
  ],
  working_minutes: 960,
  free_minutes: 330,
  days: appointments().days.map((day, index) =>
    index === 7 ? { ...day, scheduled: 3, completed: 2, cancelled: 1 } : day,
  ),
});
const busyPhone = calls({
  days: calls().days.map((day, index) => (index > 11 ? { ...day, calls: 6, missed: 1 } : day)),
  weeks: calls().weeks.map((week, index) =>
    index === 7 ? { ...week, positive: 6, neutral: 2, negative: 2, unknown: 3 } : week,
  ),
});

/** Scheduling or calls as far as the page asks them. */
async function startTelling(): Promise<Receiver & { tell(data: object): void }> {
  const receiver = await startReceiver();
  return {
    ...receiver,
    tell: (data) =>
      receiver.respondWith(() => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ success: true, data }),
      })),
  };
}

let world: SettingsWorld;
let scheduling: Awaited<ReturnType<typeof startTelling>>;
let phone: Awaited<ReturnType<typeof startTelling>>;
beforeAll(async () => {
  [scheduling, phone] = await Promise.all([startTelling(), startTelling()]);
  world = await startSettingsWorld({
    beside: async () => ({ SCHEDULING_INTERNAL_URL: scheduling.url, CALLS_INTERNAL_URL: phone.url }),
  });
});
afterAll(async () => {
  await world.stop();
  await scheduling.close();
  await phone.close();
});
beforeEach(() => {
  scheduling.tell(appointments());
  phone.tell(calls());
});

/** What a section of the page says, without its markup. */
function textOf(page: string, id: string): string {
  const [, section = ''] = page.split(`id="${id}"`);
  const [own = ''] = section.split('</section>');
  return own.replaceAll(/<title>[^<]*<\/title>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

it('says of an empty business what to do next, and shows no empty plot', async () => {
  const { browser } = await world.signedIn();
  const { page } = await browser.html(STATISTICS);
  expect(page.match(/class="empty"/g)).toHaveLength(6);
  expect(page).not.toContain('<figure');
  for (const href of [
    '/settings/business',
    '/settings/calls/sources',
    '/settings/api#webhooks',
    '/settings/api#keys',
  ])
    expect(page).toContain(`href="${href}"`);
});

it('shows the appointments, the calls and their sentiment, each chart with its table', async () => {
  scheduling.tell(busyDay);
  phone.tell(busyPhone);
  const { browser } = await world.signedIn();
  const { page } = await browser.html(STATISTICS);
  expect(textOf(page, 'appointments')).toMatch(/ 5 today 3 scheduled · 2 completed · 1 cancelled /);
  expect(textOf(page, 'appointments')).toContain('5 h 30 min free from now on, of 16 h working time');
  expect(textOf(page, 'calls')).toContain('12 in two weeks · 2 missed (17 %)');
  expect(textOf(page, 'sentiment')).toContain(
    '60 % positive, of 10 calls in eight weeks · 3 without sentiment',
  );
  expect(page.match(/<figure class="chart">/g)).toHaveLength(3);
  expect(page.match(/<details class="values">/g)).toHaveLength(3);
  expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+="|NaN|undefined|Infinity/);
});

it('shows deliveries and requests', async () => {
  const receiver = await startReceiver();
  const { browser, tenantId } = await world.signedIn();
  const { body: hook } = await browser.json('POST', '/settings/api/webhooks', {
    url: receiver.url,
    events: ['call.ended'],
  });
  await browser.json('POST', `/settings/api/webhooks/${hook.data.id}/test`, {});
  const { body: key } = await browser.json('POST', '/settings/api/keys', { name: 'Website' });
  for (let i = 0; i < 3; i += 1)
    expect((await get(world.gateway, '/api/v1/services', bearer(key.data.key))).status).toBe(200);
  await eventually(async () => {
    const { page } = await browser.html(STATISTICS);
    expect(textOf(page, 'deliveries')).toContain('100 % of 1 delivered in 24 hours');
    expect(textOf(page, 'latency')).toMatch(/ \d+([.,]\d+)? (ms|s) is typical · 95 % arrive within /);
    expect(textOf(page, 'requests')).toContain('3 in 24 hours');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });
  const other = await world.signedIn();
  const { page } = await other.browser.html(STATISTICS);
  expect(other.tenantId).not.toBe(tenantId);
  expect(textOf(page, 'deliveries')).toContain('No webhook endpoints yet');
  expect(textOf(page, 'requests')).toContain('0 in 24 hours');
  await receiver.close();
});

it('a service that is away, or hangs for ever, shows as such in its cards alone', async () => {
  const hanging = await startReceiver();
  hanging.respondWith(() => new Promise(() => {}));
  phone.tell(busyPhone);
  const partly = await world.startSettings({
    SCHEDULING_INTERNAL_URL: hanging.url,
    WEBHOOKS_INTERNAL_URL: NOBODY,
    PAGE_TIMEOUT_MS: '4000',
  });
  const { browser } = await world.signedIn({ on: partly });
  // The others have the same deadline, which a busy machine may miss now and then.
  await eventually(async () => {
    const { status, page } = await browser.html(STATISTICS);
    expect(status).toBe(200);
    for (const id of ['appointments', 'deliveries', 'latency'])
      expect(textOf(page, id)).toContain('can’t be shown right now');
    for (const id of ['calls', 'sentiment', 'requests'])
      expect(textOf(page, id)).not.toContain('can’t be shown right now');
  });
  await eventually(async () => {
    for (const path of [STATISTICS, '/settings']) {
      const { body } = await browser.json('GET', path);
      expect([path, body.data.appointments, body.data.deliveries]).toEqual([path, null, null]);
      expect(body.data.calls).toEqual(busyPhone);
    }
  });
  await hanging.close();
});

it('is small, however much there is to show', async () => {
  const many = (day: object) => ({
    ...day,
    scheduled: 123_456,
    completed: 65_432,
    cancelled: 4_321,
    no_show: 99,
  });
  scheduling.tell({ ...busyDay, days: busyDay.days.map(many) });
  phone.tell(calls({ days: busyPhone.days.map((day) => ({ ...day, calls: 98_765, missed: 4_321 })) }));
  const { browser } = await world.signedIn();
  const cookie = `frontdesk=${browser.jar.get('frontdesk')}`;
  const fetched = async (url: string) => {
    const headers = { cookie, accept: 'text/html', 'accept-encoding': 'br' };
    return (await world.settings.api.inject({ url, headers })).rawPayload;
  };
  const page = await fetched(STATISTICS);
  const markup = brotliDecompressSync(page).toString();
  const assets = [...markup.matchAll(/\/settings\/assets\/[\w-]+\.\w+\.(?:css|js)/g)].map(([path]) => path);
  const sizes = (await Promise.all(assets.map(fetched))).map(({ length }) => length);
  expect(sizes.reduce((sum, size) => sum + size, page.length)).toBeLessThan(50_000);
});
