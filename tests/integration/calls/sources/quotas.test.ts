import { PLAN_QUOTAS, type Quotas } from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { Client } from 'pg';
import { eventually, IN_OWN_DATABASE, withinOneWindow } from '../../../support/index.ts';
import { type CallsWorld, type Source, startCalls } from '../calls-world.ts';
import { genericCall } from '../sample-calls.ts';
import { genericMessage } from '../signed-messages.ts';

const DAY_SECONDS = 86_400;
const endDay = systemSql<never, { tenantId: number }>(
  'test_end_day',
  'update call_message_days set day = day - 1 where tenant_id = $tenantId',
);
const setQuotas = systemSql<never, { tenantId: number; quotas: string }>(
  'test_set_quotas',
  'update tenants set quotas = $quotas::jsonb where tenant_id = $tenantId',
);
const countDays = systemSql<{ count: number }>(
  'test_count_days',
  'select count(*) as count from call_message_days',
);
const ageDays = tenantSql<never>(
  'test_age_days',
  'update call_message_days set day = day - 8 where tenant_id = $tenantId',
);

let calls: CallsWorld;
beforeAll(async () => {
  calls = await startCalls({ workers: [] });
});
afterAll(() => calls.stop());

const newTenant = (quotas: Partial<Quotas>) =>
  calls.newTenant({ plan: 'starter', quotas: { ...PLAN_QUOTAS.starter, ...quotas } });
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const usageOf = async (tenantId: number) =>
  (await calls.admin('GET', `/internal/tenants/${tenantId}/quota-usage`)).body.data;

/** Lets sources be counted but none be added, so that all who would have counted by then have. */
async function holdInserts() {
  const client = new Client({ connectionString: calls.config.DATABASE_URL });
  await client.connect();
  await client.query('begin');
  await client.query('lock table call_sources in share mode');
  return {
    untilWaitedFor: (count: number) =>
      eventually(async () => {
        const { rowCount } = await client.query(
          `select from pg_locks where not granted and ${IN_OWN_DATABASE}`,
        );
        expect(rowCount).toBeGreaterThanOrEqual(count);
      }),
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}

describe('call sources', () => {
  const add = (tenantId: number) =>
    calls.admin('POST', `/internal/tenants/${tenantId}/call-sources`, { provider: 'generic', name: 'Line' });

  it('422: of twenty created at once for the last one of the quota one is created; deleting one allows another', async () => {
    const tenant = newTenant({});
    for (let index = 0; index < 4; index += 1) await calls.newSource(tenant);
    const held = await holdInserts();
    const asked = Promise.all(Array.from({ length: 20 }, () => add(tenant)));
    await held.untilWaitedFor(4);
    await held.release();
    const answers = await asked;
    expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'Your plan allows 5 call sources, and there are 5.',
    });
    expect(await usageOf(tenant)).toMatchObject({ call_sources: 5 });

    const sources = `/internal/tenants/${tenant}/call-sources`;
    const [first, second] = (await calls.admin('GET', sources)).body.data;
    // A paused one keeps its place: it can be resumed.
    await calls.admin('PATCH', `${sources}/${first.id}`, { is_active: false });
    expect((await add(tenant)).status).toBe(422);
    expect((await calls.admin('PATCH', `${sources}/${first.id}`, { is_active: true })).status).toBe(200);
    await calls.admin('DELETE', `${sources}/${second.id}`);
    expect(statusesOf([await add(tenant), await add(tenant)])).toEqual([201, 422]);
  });
});

const inOneDay = (name: string, test: () => Promise<void>) =>
  it(name, () => withinOneWindow(DAY_SECONDS, test));

describe('messages of a UTC day', () => {
  let tenant: number;
  let source: Source;
  const send = (body: object | string, to = source) => calls.ingest(to, genericMessage(body, to));
  const stored = async () => (await calls.messages(tenant, '?per_page=100')).length;

  inOneDay(
    '429 until the day is over: of twenty at once for the last place one is stored, over all sources',
    async () => {
      tenant = newTenant({ call_messages_per_day: 3 });
      source = await calls.newSource(tenant);
      const other = await calls.newSource(tenant);
      const first = genericCall();
      expect([(await send(first)).status, (await send(genericCall(), other)).status]).toEqual([202, 202]);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(genericCall(), index % 2 === 0 ? source : other)),
      );
      expect(statusesOf(answers)).toEqual([202, ...Array.from({ length: 19 }, () => 429)]);
      expect(await stored()).toBe(3);
      expect(await usageOf(tenant)).toMatchObject({ call_messages_per_day: 3 });

      const { api } = calls.service;
      const { headers, body } = genericMessage(genericCall(), source);
      const refused = await api.inject({ method: 'POST', url: source.path, headers, payload: body });
      expect(refused.statusCode).toBe(429);
      expect(refused.json()).toMatchObject({
        code: 'rate_limited',
        message:
          'Your plan allows 3 call messages and 200000000 bytes of them per UTC day; this one exceeds that.',
      });
      // The request was answered within a minute.
      const secondsLeft = DAY_SECONDS - (Math.floor(Date.now() / 1_000) % DAY_SECONDS);
      const seconds = Number(refused.headers['retry-after']);
      expect((seconds - secondsLeft + DAY_SECONDS) % DAY_SECONDS).toBeLessThan(60);

      // What is stored already is welcome all the same, and no other tenant notices anything.
      expect((await send(first)).status).toBe(202);
      const neighbour = await calls.newSource(newTenant({ call_messages_per_day: 3 }));
      expect((await send(genericCall(), neighbour)).status).toBe(202);

      await calls.database.system.run(endDay, { tenantId: tenant });
      expect((await send(genericCall())).status).toBe(202);
      expect(await usageOf(tenant)).toMatchObject({ call_messages_per_day: 1 });
    },
  );

  inOneDay('repetitions that are not stored count for nothing, also when many come at once', async () => {
    tenant = newTenant({ call_messages_per_day: 3 });
    source = await calls.newSource(tenant);
    const same = genericMessage(genericCall(), source);
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.ingest(source, same)));
    expect(statusesOf(answers)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(await usageOf(tenant)).toMatchObject({
      call_messages_per_day: 1,
      call_bytes_per_day: Buffer.byteLength(same.body),
    });
  });

  inOneDay('429: bytes are bounded too, and a smaller message may still fit', async () => {
    tenant = newTenant({ call_bytes_per_day: 10_000 });
    source = await calls.newSource(tenant);
    const large = () => genericCall({ summary: 'a'.repeat(6_000) });
    expect(statusesOf([await send(large()), await send(large())])).toEqual([202, 429]);
    expect((await send(genericCall())).status).toBe(202);
    expect(await stored()).toBe(2);
  });

  inOneDay('429: a test call that is to be real counts as well', async () => {
    tenant = newTenant({ call_messages_per_day: 1 });
    source = await calls.newSource(tenant);
    await send(genericCall());
    const path = `/internal/tenants/${tenant}/call-sources/${source.id}/test-call`;
    const real = await calls.admin('POST', path, { is_real: true });
    expect([real.status, real.body.code]).toEqual([429, 'rate_limited']);
    expect((await calls.admin('POST', path, { is_real: false })).status).toBe(200);
  });

  inOneDay('of a raised quota are taken in with the next one', async () => {
    tenant = newTenant({ call_messages_per_day: 1 });
    source = await calls.newSource(tenant);
    await send(genericCall());
    expect((await send(genericCall())).status).toBe(429);
    await calls.database.system.run(setQuotas, {
      tenantId: tenant,
      quotas: JSON.stringify({ call_messages_per_day: 2 }),
    });
    expect(statusesOf([await send(genericCall()), await send(genericCall())])).toEqual([202, 429]);
  });

  inOneDay('are counted anew each day, and past days are forgotten', async () => {
    tenant = newTenant({});
    source = await calls.newSource(tenant);
    await send(genericCall());
    const { count } = await calls.database.system.one(countDays);
    await calls.database.forTenant(tenant).run(ageDays);
    const purging = await calls.startAnother(['retention']);
    await purging.stop();
    expect(await calls.database.system.one(countDays)).toEqual({ count: count - 1 });
  });
});
