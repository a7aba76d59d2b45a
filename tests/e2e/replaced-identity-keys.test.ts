import { readFile } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { keyFilesIn } from '../../scripts/start/keys/identity-keys.ts';
import { replaceIdentityKey } from '../../scripts/start/keys/replace-identity-key.ts';
import { sharedSystem } from '../support/index.ts';
import { createBusiness } from './support/business.ts';
import { targetOf } from './support/target.ts';

const REQUEST_EVERY_MS = 100;
/** Processes look for keys every second. */
const KNOWN_AFTER_MS = 2_500;
const ADMIN = { email: 'keys@example.com', password: 'three calm walruses' };

it('the keys of those who sign are replaced while all requests are answered', async () => {
  const system = await sharedSystem();
  const target = targetOf(system);
  const { api, tenant } = await createBusiness(target, 'Replaced keys');
  await target.operator.json(
    ['user', 'create', '--tenant', String(tenant.id), '--email', ADMIN.email, '--password-file', '-'],
    ADMIN.password,
  );
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const signedIn = await fetch(`${system.urls.settingsUi}/settings/sign-in`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ADMIN),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ');
  const page = async () =>
    (await fetch(`${system.urls.settingsUi}/settings/customers`, { headers: { cookie } })).status;
  expect(await page()).toBe(200);

  const files = keyFilesIn(system.keysDirectory);
  const keyOf = async (issuer: 'gateway' | 'settings-ui') =>
    (JSON.parse(await readFile(files.publicKeys, 'utf8')) as Record<string, { x: string }>)[issuer]?.x;
  const before = [await keyOf('gateway'), await keyOf('settings-ui')];

  const replacing = new AbortController();
  const replaced = (async () => {
    for (const issuer of ['gateway', 'settings-ui'] as const)
      for (const step of ['NEW_IDENTITY_KEY', 'SIGNING_IDENTITY_KEY', 'END_IDENTITY_KEY'])
        await replaceIdentityKey(files, { [step]: issuer }, { knownAfterMs: KNOWN_AFTER_MS });
  })().finally(() => replacing.abort());
  const statuses = new Map<string, number>();
  const count = (what: string, status: number) =>
    statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);
  let sent = 0;
  for await (const _ of setInterval(REQUEST_EVERY_MS)) {
    if (replacing.signal.aborted) break;
    sent += 1;
    const phone = `+4930${String(10_000_000 + sent)}`;
    const body = { name: `Caller ${sent}`, phone };
    await Promise.all([
      api('GET', '/services').then(({ status }) => count('read', status)),
      api('POST', '/customers', { body }).then(({ status }) => count('created', status)),
      page().then((status) => count('page', status)),
    ]);
  }
  await replaced;

  expect(Object.fromEntries(statuses)).toEqual({
    'read 200': sent,
    'created 201': sent,
    'page 200': sent,
  });
  const after = [await keyOf('gateway'), await keyOf('settings-ui')];
  expect(after).not.toEqual(before);
  expect(after.every((key) => typeof key === 'string' && !before.includes(key))).toBe(true);
});
