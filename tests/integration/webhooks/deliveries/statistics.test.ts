import { Client } from 'pg';
import { eventually } from '../../../support/index.ts';
import { insertBacklog } from '../backlog.ts';
import { hooks, receiver, startForEachTest, tenantId, world } from '../each-test.ts';

startForEachTest();

interface Hour {
  starts_at: string;
  delivered: number;
  failed: number;
  latency: { p50_ms: number; p95_ms: number } | null;
}

const pathOf = (of: number) => `/internal/tenants/${of}/statistics/deliveries`;
const statistics = async () => {
  const { status, body } = await world.request({ path: pathOf(tenantId) });
  expect(status).toBe(200);
  const hours = body.data.hours as Hour[];
  const sum = (read: (hour: Hour) => number) => hours.reduce((total, hour) => total + read(hour), 0);
  return { ...body.data, hours, ended: [sum(({ delivered }) => delivered), sum(({ failed }) => failed)] };
};
const test = (id: number) => hooks.send('POST', `/${id}/test`);

it('counts what arrived and what failed for good, each once, with how long it took', async () => {
  const begunAt = Date.now();
  const { id } = await hooks.create(receiver);
  for (let i = 0; i < 3; i += 1) await test(id);
  await hooks.settled('delivered', 'delivered', 'delivered');
  receiver.respondWith(() => ({ status: 500 }));
  await test(id);
  await hooks.settled('failed', 'delivered', 'delivered', 'delivered');
  const shown = await eventually(async () => {
    const shown = await statistics();
    expect(shown.ended).toEqual([3, 1]);
    return shown;
  });
  expect(shown.hours).toHaveLength(24);
  expect(shown).toMatchObject({ endpoints: 1, waiting: 0 });
  const { p50_ms, p95_ms } = shown.latency;
  expect(p50_ms).toBeGreaterThan(0);
  expect(p95_ms).toBeGreaterThanOrEqual(p50_ms);
  // A latency is known to a tenth.
  expect(p95_ms).toBeLessThan(1.2 * (Date.now() - begunAt));
  const lastHour = Date.parse(shown.hours.at(-1)?.starts_at ?? '');
  expect(lastHour).toBeGreaterThan(begunAt - 3_600_000);
  expect(lastHour).toBeLessThanOrEqual(Date.now());
});

it('counts what is sent again, and takes no latency from it', async () => {
  receiver.respondWith(() => ({ status: 500 }));
  const { id } = await hooks.create(receiver);
  const { body } = await test(id);
  await hooks.settled('failed');
  receiver.respondWith(() => ({ status: 200 }));
  await hooks.send('POST', `/deliveries/${body.data.id}/resend`);
  await eventually(async () => expect((await statistics()).ended).toEqual([1, 1]));
  expect((await statistics()).latency).toBeNull();
});

it('counts what still waits, so far as it is asked for', async () => {
  const { id } = await hooks.create(receiver);
  await hooks.send('PATCH', `/${id}`, { is_active: false });
  expect(await statistics()).toMatchObject({ waiting: 0, endpoints: 1 });
  await withClient((client) => insertBacklog(client, { tenantId, endpointId: id, count: 120 }));
  expect((await statistics()).waiting).toBe(120);
});

it('of a tenant without endpoints: every hour, with nothing in it', async () => {
  const shown = await statistics();
  expect(shown).toMatchObject({ latency: null, waiting: 0, endpoints: 0, ended: [0, 0] });
  expect(new Set(shown.hours.map(({ latency }: Hour) => latency))).toEqual(new Set([null]));
});

it('reads a busy day by its key, and leaves the log alone', async () => {
  await withClient(async (client) => {
    // Of the coming hour, too, which may begin at any moment.
    await client.query(
      `insert into delivery_counts
       select $1::bigint + tenant, date_trunc('hour', now()) - hour * interval '1 hour', 'delivered', bucket, 140
       from generate_series(0, 99) tenant, generate_series(-1, 25) hour, generate_series(0, 29) bucket`,
      [tenantId],
    );
    await client.query('analyze delivery_counts');
    const { rows } = await client.query(
      `explain (format json) select hour, outcome, latency_bucket, deliveries from delivery_counts
       where tenant_id = $1 and hour >= now() - interval '23 hours'`,
      [tenantId],
    );
    expect(JSON.stringify(rows)).toContain('delivery_counts_pkey');
  });
  expect((await statistics()).ended).toEqual([24 * 30 * 140, 0]);
});

it('404 for another tenant’s admin', async () => {
  const admin = { role: 'admin', tenantId } as const;
  expect((await world.request({ ...admin, path: pathOf(tenantId) })).status).toBe(200);
  expect((await world.request({ ...admin, path: pathOf(tenantId + 1) })).status).toBe(404);
});

async function withClient<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
