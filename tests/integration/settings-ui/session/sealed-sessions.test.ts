import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { engines } from '../../../support/index.ts';
import type { Browser } from '../inject-browser.ts';
import { type SettingsWorld, startSettingsWorld } from '../settings-world.ts';

let world: SettingsWorld;
const redis = new Redis(engines().redisUrl, { lazyConnect: true });
beforeAll(async () => {
  world = await startSettingsWorld();
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const HOUR = 3_600;
const keyOf = (token: string) => `settings:session:${createHash('sha256').update(token).digest('base64url')}`;
const tokenOf = ({ jar }: Browser) => jar.get('frontdesk') ?? '';
const isSignedIn = async (browser: Browser) => (await browser.json('GET', '/settings/people')).status === 200;

/** A browser with a cookie of its own making. */
function browserWith(token: string, on = world.settings): Browser {
  const browser = world.browser(on);
  browser.jar.set('frontdesk', token);
  return browser;
}

it('what somebody else writes into Redis signs nobody in', async () => {
  const { browser, tenantId } = await world.signedIn();
  const { admins } = (await browser.json('GET', '/settings/people')).body.data;
  const forged = JSON.stringify({
    tenantId,
    adminId: admins[0].id,
    credentialsVersion: 1,
    csrfSecret: 'known',
    startedAt: Date.now(),
  });
  for (const content of [forged, '', 'null', '{}', `v1.test.${btoa(forged)}.${btoa(forged)}`]) {
    const token = randomBytes(32).toString('base64url');
    await redis.set(keyOf(token), content, 'EX', HOUR);
    expect([content, await isSignedIn(browserWith(token))]).toEqual([content, false]);
  }
});

it('a session that is copied to the place of another opens nothing there, nor one that was changed', async () => {
  const { browser } = await world.signedIn();
  const { browser: attacker } = await world.signedIn();
  const sealed = (await redis.get(keyOf(tokenOf(browser)))) ?? '';
  await redis.set(keyOf(tokenOf(attacker)), sealed, 'EX', HOUR);
  expect(await isSignedIn(attacker)).toBe(false);
  expect(await isSignedIn(browser)).toBe(true);

  const [version, key, iv, data = ''] = sealed.split('.');
  const changed = [version, key, iv, (data.startsWith('A') ? 'B' : 'A') + data.slice(1)].join('.');
  await redis.set(keyOf(tokenOf(browser)), changed, 'EX', HOUR);
  expect(await isSignedIn(browser)).toBe(false);
});

it('Redis reveals nothing of a session', async () => {
  const { browser } = await world.signedIn();
  const stored = (await redis.get(keyOf(tokenOf(browser)))) ?? '';
  expect(stored).toMatch(/^v1\./);
});

it('a process with other keys takes it for over; one that still has its key opens it', async () => {
  const { browser } = await world.signedIn();
  const directory = await mkdtemp(join(tmpdir(), 'keys-'));
  const keysFile = join(directory, 'secrets.json');
  const newKey = { id: 'new', key: randomBytes(32).toString('base64') };
  try {
    await writeFile(keysFile, JSON.stringify({ keys: [newKey] }));
    const on = await world.startSettings({ SECRET_KEYS_FILE: keysFile });
    expect(await isSignedIn(browserWith(tokenOf(browser), on))).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  } finally {
    await rm(directory, { recursive: true });
  }
});
