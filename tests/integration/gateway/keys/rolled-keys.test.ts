import { apiKeySchema, MAX_ENDED_KEYS } from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { createLogger } from '@frontdesk/service';
import { createKeyUsage } from '../../../../services/gateway/src/keys/key-usage.worker.ts';
import { eventually } from '../../../support/index.ts';
import {
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  startGatewayWorld,
} from '../gateway-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Keys of the plan. */
const QUOTA = 10;

let world: GatewayWorld;
let gateway: Gateway;
let tenantId: number;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
beforeEach(async () => {
  tenantId = await world.newTenant(gateway, { plan: 'starter' });
});
afterAll(() => world.stop());

const call = (method: string, path = '', body?: object) =>
  world.internal(gateway, adminOf(tenantId), method, `/internal/tenants/${tenantId}/keys${path}`, body);
const create = (fields: object = {}) => call('POST', '', { name: 'Sync', ...fields });
const newKey = async (fields: object = {}) => (await create(fields)).body.data;
const roll = (id: number, hours = 168) => call('POST', `/${id}/roll`, { hours });
const hence = (ms: number) => new Date(Date.now() + ms).toISOString();
const shown = async (id: number) => (await call('GET')).body.data.find((key) => key.id === id);
const statusOf = async (key: string) => (await get(gateway, '/api/v1/staff', bearer(key))).status;

/** Ways in which the key that took another's place is gone. */
const GONE: [how: string, end: (id: number) => Promise<unknown>][] = [
  ['revoked', (id) => call('POST', `/${id}/revoke`)],
  ['deleted', (id) => call('DELETE', `/${id}`)],
  ['expired', (id) => world.database.system.run(expire, { id, days: 0 })],
];
const expire = systemSql<never, { id: number; days: number }>(
  'test_expire_rolled',
  `update api_keys set expires_at = now() - interval '1 second' - $days * interval '1 day' where id = $id`,
);

describe.each(GONE)('a key whose successor is %s', (_how, end) => {
  it('counts in the quota again, so that no loop makes keys beyond it', async () => {
    for (let made = 0; made < QUOTA; made += 1) {
      const { id } = await newKey();
      await end((await roll(id)).body.data.id);
    }
    const { status, body } = await create();
    expect([status, body.code]).toEqual([422, 'quota_exceeded']);
  });

  it('is shown as the one in use, may live on, is told before it ends, and is rolled again', async () => {
    const { id, key } = await newKey();
    const next = (await roll(id, 1)).body.data;
    expect(await shown(id)).toMatchObject({ rolled_to: next.id });
    expect((await call('PATCH', `/${id}`, { expires_at: hence(DAY_MS) })).status).toBe(422);
    await end(next.id);
    expect(await shown(id)).toMatchObject({ rolled_to: null });
    expect(await expiringIds()).toEqual([id]);
    const longer = await call('PATCH', `/${id}`, { expires_at: null });
    expect([longer.status, longer.body.data]).toEqual([
      200,
      expect.objectContaining({ expires_at: null, rolled_to: null }),
    ]);
    const again = await roll(id);
    expect(again.status).toBe(201);
    expect(await shown(id)).toMatchObject({ rolled_to: again.body.data.id });
    expect([await statusOf(key), await statusOf(again.body.data.key)]).toEqual([200, 200]);
  });
});

const expiringIds = async () => {
  const caller = { issuer: 'settings-ui', role: 'service' } as const;
  const { body } = await world.internal(gateway, caller, 'GET', '/internal/keys/expiring');
  return body.data
    .filter((key) => (key as { tenant_id?: number }).tenant_id === tenantId)
    .map(({ id }) => id);
};

describe('keys that have ended', () => {
  const fill = tenantSql<never, { live: number; count: number }>(
    'test_ended_keys',
    `insert into api_keys (tenant_id, name, key_hash, last_four, is_active, expires_at, rolled_to)
     select $tenantId::bigint, 'Sync', sha256(convert_to(concat($tenantId::bigint, ' ', n), 'utf8')), 'abcd', n % 3 <> 0,
       case n % 3 when 1 then now() - interval '1 hour' when 2 then now() + interval '1 hour' end,
       case n % 3 when 2 then $live::bigint end
     from generate_series(1, $count::int) n`,
  );

  it('are bounded together, whether revoked, expired or replaced, for a new key and for a roll', async () => {
    const [live, another] = [await newKey(), await newKey()];
    await world.database.forTenant(tenantId).run(fill, { live: live.id, count: MAX_ENDED_KEYS });
    for (const { status, body } of [await create(), await roll(another.id, 0)])
      expect([status, body.code, body.message]).toEqual([
        422,
        'quota_exceeded',
        `There are ${MAX_ENDED_KEYS} revoked, expired or replaced API keys: delete some of them first.`,
      ]);
    expect(await statusOf(another.key)).toBe(200);
  });

  it('count in no quota, and count again once they are made to live on', async () => {
    const { id } = await newKey({ expires_at: hence(HOUR_MS) });
    await world.database.system.run(expire, { id, days: 0 });
    for (let made = 0; made < QUOTA; made += 1) expect((await create()).status).toBe(201);
    const longer = await call('PATCH', `/${id}`, { expires_at: hence(HOUR_MS) });
    expect([longer.status, longer.body.code]).toEqual([422, 'quota_exceeded']);
    expect((await call('PATCH', `/${id}`, { name: 'Renamed' })).status).toBe(200);
  });

  it('are forgotten a month after their end where they were rolled, the others stay', async () => {
    const [rolled, lately, unrolled] = [await newKey(), await newKey(), await newKey()];
    for (const { id } of [rolled, lately]) await roll(id, 0);
    for (const { id } of [rolled, unrolled]) await world.database.system.run(expire, { id, days: 30 });
    const { component } = createKeyUsage({
      database: world.database,
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
    await component.start?.();
    await eventually(async () => expect(await shown(rolled.id)).toBeUndefined());
    await component.stop?.();
    expect(await Promise.all([lately, unrolled].map(({ id }) => shown(id)))).toEqual([
      expect.objectContaining({ id: lately.id }),
      expect.objectContaining({ id: unrolled.id }),
    ]);
  });
});

it('the successor of a key with an end lives as long as the one before was made for', async () => {
  const { id } = await newKey({ expires_at: hence(90 * DAY_MS) });
  await world.database.system.run(age, { id, days: 80 });
  const before = await shown(id);
  const { body } = await roll(id, 0);
  const lifetimeOf = (key: object | undefined) => {
    const { created_at, expires_at } = apiKeySchema.parse(key);
    return Math.round((Date.parse(String(expires_at)) - Date.parse(created_at)) / HOUR_MS);
  };
  expect(lifetimeOf(before)).toBe(90 * 24);
  expect(lifetimeOf(body.data)).toBe(90 * 24);
});
const age = systemSql<never, { id: number; days: number }>(
  'test_age_key',
  `update api_keys set created_at = created_at - $days * interval '1 day', expires_at = expires_at - $days * interval '1 day'
   where id = $id`,
);

it('404, and no successor, where a key is revoked while it is rolled', async () => {
  const { id } = await newKey();
  const { answered } = await world.database.forTenant(tenantId).transaction(async (tx) => {
    await tx.run(revoke, { id });
    const rolling = roll(id);
    await eventually(async () => expect(await tx.one(waiting)).toEqual({ is_waited_for: true }));
    return { answered: rolling };
  });
  expect((await answered).status).toBe(404);
  expect((await call('GET')).body.data).toMatchObject([{ id, is_active: false }]);
});
const revoke = tenantSql<never, { id: number }>(
  'test_revoke_key',
  'update api_keys set is_active = false where tenant_id = $tenantId and id = $id',
);
const waiting = tenantSql<{ is_waited_for: boolean }>(
  'test_waiting',
  `select exists (
     select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid and $tenantId::bigint > 0
   ) as is_waited_for`,
);
