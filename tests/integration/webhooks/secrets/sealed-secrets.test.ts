import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemSql } from '@frontdesk/database';
import { createSecretBox } from '@frontdesk/service';
import { Webhook } from 'standardwebhooks';
import { sealSecrets } from '../../../../services/webhooks/src/secrets/seal-secrets.ts';
import { createSigningSecrets } from '../../../../services/webhooks/src/secrets/signing-secrets.cache.ts';
import { documentedUnder } from '../../../support/documented-commands.ts';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';

/** All that is stored, as text. */
const everything = systemSql<{ text: string }>(
  'test_everything',
  `select string_agg(query_to_xml(format('select * from %I', relname), true, false, '')::text, ' ') as text
   from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
);
const sealedBy = systemSql<{ secret: string; previous: string | null }, { tenantId: number }>(
  'test_sealed_by',
  `select split_part(secret, '.', 2) as secret, split_part(previous_secret, '.', 2) as previous
   from endpoints where tenant_id = $tenantId order by id`,
);
const insertPlain = systemSql<never, { tenantId: number; url: string; secret: string; previous: string }>(
  'test_insert_plain',
  `insert into endpoints (tenant_id, url, events, secret, previous_secret, previous_secret_until)
   values ($tenantId, $url, array['appointment.created'], $secret, $previous, now() + interval '1 day')`,
);

const headersSealedBy = systemSql<{ headers: string | null }, { tenantId: number }>(
  'test_headers_sealed_by',
  `select split_part(headers, '.', 2) as headers from endpoints where tenant_id = $tenantId`,
);

const endOfOverlap = systemSql<never, { tenantId: number }>(
  'test_end_of_overlaps',
  'update endpoints set previous_secret_until = now() where tenant_id = $tenantId',
);

/** By the query that the documentation has for it: how many secrets each key has sealed. */
async function keysInUse(world: RunningWebhooks): Promise<Record<string, number>> {
  const commands = documentedUnder('docs/operations.md', 'Sealing keys');
  const [, query = ''] = /psql -U postgres frontdesk_webhooks -c "(select [^"]+)"$/m.exec(commands) ?? [];
  const rows = await world.database.system.many(
    systemSql<{ key_id: string; count: number }>('test_keys_in_use', query),
  );
  return Object.fromEntries(rows.map(({ key_id, count }) => [key_id, count]));
}

/** How many deliveries the process couldn't sign. */
async function unsigned(world: RunningWebhooks): Promise<number> {
  const metrics = await (await fetch(`${world.internalUrl}/metrics`)).text();
  return Number(/^webhook_unsigned_total (\d+)$/m.exec(metrics)?.[1]);
}

const newKey = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
const [first, second, third] = [newKey('first'), newKey('second'), newKey('third')];
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('signing secrets at rest', () => {
  let directory: string;
  let receiver: Receiver;
  let tenantId: number;
  const worlds: RunningWebhooks[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sealed-'));
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
  });
  afterEach(async () => {
    for (const world of worlds.splice(0).reverse()) await world.stop();
    await receiver.close();
    await rm(directory, { recursive: true });
  });

  /** A service with these keys; after another one, over what that has left. */
  const start = async (keys: object[], env: Record<string, string> = {}) => {
    const file = join(directory, `${worlds.length}.json`);
    await writeFile(file, JSON.stringify({ keys }));
    const [before] = worlds.slice(-1);
    await before?.stopService();
    const world = await startWebhooks({ SECRET_KEYS_FILE: file, ...env }, before);
    worlds.push(world);
    return world;
  };

  /** What the receiver gets next, and whether each of these secrets verifies it. */
  const nextVerifiedBy = async (world: RunningWebhooks, ...secrets: string[]) => {
    const count = receiver.requests.length;
    await world.publish(appointmentEvent(tenantId));
    const { rawBody, headers } = await eventually(() => {
      const request = receiver.requests[count];
      if (!request) throw new Error('nothing received');
      return request;
    });
    return secrets.map((secret) => {
      try {
        return new Webhook(secret).verify(rawBody, headers as Record<string, string>) !== null;
      } catch {
        return false;
      }
    });
  };

  it('are nowhere in the database: not beside repeated requests, deliveries or events either', async () => {
    const world = await start([first]);
    const { send } = hooksOf(world, tenantId);
    const body = { url: `${receiver.url}/hook`, events: ['appointment.created'] };
    const create = async () => (await send('POST', '', body, { 'idempotency-key': 'a' })).body.data;
    const { id, secret: old } = await create();
    expect((await create()).secret).toBe(old);
    const rotate = async () =>
      (await send('POST', `/${id}/rotate-secret`, {}, { 'idempotency-key': 'b' })).body.data;
    const { secret } = await rotate();
    expect((await rotate()).secret).toBe(secret);
    expect(await nextVerifiedBy(world, old, secret, newSecret())).toEqual([true, true, false]);
    await hooksOf(world, tenantId).settled('delivered');

    const { text } = await world.database.system.one(everything);
    expect(text).toContain('/rotate-secret');
    for (const plainSecret of [old, secret]) {
      expect(text).not.toContain(plainSecret);
      expect(text).not.toContain(plainSecret.slice('whsec_'.length));
    }
    await send('DELETE', `/${id}`);
    expect(await world.database.system.many(sealedBy, { tenantId })).toEqual([
      { secret: '', previous: null },
    ]);
  });

  it('sign after a restart, and after a new key has taken the old one’s place, which may go then', async () => {
    const before = await start([first]);
    const hooks = hooksOf(before, tenantId);
    const { id, secret: old } = await hooks.create(receiver);
    const { secret } = (await hooks.send('POST', `/${id}/rotate-secret`, {})).body.data;

    const rotated = await start([second, first], { SEAL_AFTER_MS: '0' });
    expect(await nextVerifiedBy(rotated, old, secret)).toEqual([true, true]);
    await eventually(async () =>
      expect(await rotated.database.system.many(sealedBy, { tenantId })).toEqual([
        { secret: 'second', previous: 'second' },
      ]),
    );
    expect(await hooksOf(rotated, tenantId).show(id)).toMatchObject({ secret_last_four: secret.slice(-4) });

    const alone = await start([second]);
    expect(await nextVerifiedBy(alone, old, secret)).toEqual([true, true]);
  });

  it('custom headers are sealed anew with them, are sent by the new key alone, and wait where it is missing', async () => {
    const before = await start([first]);
    const { send } = hooksOf(before, tenantId);
    const own = { 'x-token': 'of-an-endpoint' };
    const body = { url: `${receiver.url}/hook`, events: ['appointment.created'], headers: own };
    const { secret } = (await send('POST', '', body)).body.data;
    expect((await before.database.system.one(everything)).text).not.toContain('of-an-endpoint');

    const rotated = await start([second, first], { SEAL_AFTER_MS: '0' });
    await eventually(async () =>
      expect(await rotated.database.system.many(headersSealedBy, { tenantId })).toEqual([
        { headers: 'second' },
      ]),
    );
    expect(await keysInUse(rotated)).toEqual({ second: 2 });
    const alone = await start([second]);
    expect(await nextVerifiedBy(alone, secret)).toEqual([true]);
    expect(receiver.requests.at(-1)?.headers).toMatchObject(own);

    const without = await start([third], { SEAL_AFTER_MS: '0' });
    await without.publish(appointmentEvent(tenantId));
    await eventually(async () => expect(await unsigned(without)).toBeGreaterThan(0));
    expect(receiver.requests).toHaveLength(1);
    const again = await start([third, second], { SEAL_AFTER_MS: '0' });
    await hooksOf(again, tenantId).settled('delivered', 'delivered');
    expect(receiver.requests.at(-1)?.headers).toMatchObject(own);
  });

  it('are read separately: where the previous one’s key is lost, the new one signs alone and is sealed again', async () => {
    const before = await start([first]);
    const { id, secret: lost } = await hooksOf(before, tenantId).create(receiver);
    const rotating = await start([second, first], { SEAL_AFTER_MS: '600000' });
    const { secret } = (await hooksOf(rotating, tenantId).send('POST', `/${id}/rotate-secret`, {})).body.data;
    expect(await rotating.database.system.many(sealedBy, { tenantId })).toEqual([
      { secret: 'second', previous: 'first' },
    ]);

    const without = await start([third, second], { SEAL_AFTER_MS: '0' });
    expect(await nextVerifiedBy(without, secret, lost)).toEqual([true, false]);
    const sealed = () => without.database.system.many(sealedBy, { tenantId });
    await eventually(async () => expect(await sealed()).toEqual([{ secret: 'third', previous: 'first' }]));
    expect(await nextVerifiedBy(without, secret, lost)).toEqual([true, false]);
    expect(await hooksOf(without, tenantId).show(id)).toMatchObject({ secret_last_four: secret.slice(-4) });
    expect(await keysInUse(without)).toEqual({ first: 1, third: 1 });

    await without.stopService();
    await without.database.system.run(endOfOverlap, { tenantId });
    const { id: keyId, key } = third;
    const secrets = createSigningSecrets(createSecretBox([{ id: keyId, key: Buffer.from(key, 'base64') }]));
    expect(await sealSecrets(without.database.system, secrets)).toEqual({ sealed: 1, unreadable: 0 });
    expect(await sealed()).toEqual([{ secret: 'third', previous: null }]);
    expect(await keysInUse(without)).toEqual({ third: 1 });
  });

  it('of a release that didn’t seal are used as they are, and sealed a while after the start', async () => {
    const [plain, previous] = [newSecret(), newSecret()];
    const waiting = await start([first], { SEAL_AFTER_MS: '600000' });
    await waiting.database.system.run(insertPlain, {
      tenantId,
      url: `${receiver.url}/hook`,
      secret: plain,
      previous,
    });
    expect(await nextVerifiedBy(waiting, plain, previous)).toEqual([true, true]);
    expect((await waiting.database.system.one(everything)).text).toContain(plain);

    const sealing = await start([first], { SEAL_AFTER_MS: '0' });
    await eventually(async () => {
      const { text } = await sealing.database.system.one(everything);
      for (const plainSecret of [plain, previous]) expect(text).not.toContain(plainSecret);
    });
    expect(await nextVerifiedBy(sealing, plain, previous)).toEqual([true, true]);
    const shown = (await hooksOf(sealing, tenantId).send('GET', '')).body.data;
    expect(shown).toMatchObject([{ secret_last_four: plain.slice(-4) }]);
  });

  it('whose key is missing sign nothing: deliveries wait, at nobody’s cost, and go out once the key is back', async () => {
    const before = await start([first]);
    const lost = await hooksOf(before, tenantId).create(receiver);

    const without = await start([second], { SEAL_AFTER_MS: '0' });
    const hooks = hooksOf(without, tenantId);
    await without.publish(appointmentEvent(tenantId));
    await eventually(async () => expect(await unsigned(without)).toBeGreaterThan(0));
    const good = await hooks.create(receiver);
    for (let nth = 0; nth < 3; nth += 1)
      expect(await nextVerifiedBy(without, good.secret, lost.secret)).toEqual([true, false]);
    // All four are put off, and tried again and again.
    await eventually(async () => expect(await unsigned(without)).toBeGreaterThan(4));

    const waiting = await eventually(async () => {
      const pending = await hooks.log('?status=pending');
      expect(pending).toHaveLength(4);
      return pending;
    });
    expect(waiting.map(({ attempt_count }) => attempt_count)).toEqual([0, 0, 0, 0]);
    expect(await hooks.show(lost.id)).toMatchObject({
      state: 'active',
      health: { consecutive_failures: 0, failing_since: null, last_failure: null },
    });

    const again = await start([second, first]);
    await hooksOf(again, tenantId).settled(...Array(7).fill('delivered'));
    const { rawBody, headers } = receiver.requests.at(-1) ?? {};
    const verify = () => new Webhook(lost.secret).verify(rawBody ?? '', headers as Record<string, string>);
    expect(verify()).toBeTruthy();
  });
});
