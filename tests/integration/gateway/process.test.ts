import { once } from 'node:events';
import { systemSql } from '@frontdesk/database';
import { eventually, freePort, type ReceivedRequest } from '../../support/index.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { bearer, type GatewayWorld, get, send, startGatewayWorld } from './gateway-world.ts';
import { lines, sendRaw } from './raw-client.ts';

const lastUsed = systemSql<{ at: Date | null }, { id: number }>(
  'test_last_used',
  'select last_used_at as at from api_keys where id = $id',
);

let world: GatewayWorld;
let caller: Awaited<ReturnType<GatewayWorld['newCaller']>>;
let running: GatewayProcess;

beforeAll(async () => {
  world = await startGatewayWorld();
  caller = await world.newCaller(await world.startGateway());
  // With neither Redis nor Kafka to be found.
  const nowhere = await freePort();
  running = await startGatewayProcess(world, {
    REDIS_URL: `redis://127.0.0.1:${nowhere}`,
    KAFKA_BROKERS: `127.0.0.1:${nowhere}`,
  });
});
afterAll(async () => {
  running.child.kill('SIGKILL');
  await world.stop();
});

const linesAbout = (requestId: string) =>
  running
    .output()
    .split('\n')
    // The last one may still be on its way.
    .slice(0, -1)
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line));

it('starts without Redis and Kafka, lives, serves, and names what it waits for', async () => {
  const { status, headers } = await get(running.gateway, '/api/v1/customers', bearer(caller.key));
  expect([status, headers.get('x-ratelimit-scope')]).toEqual([200, 'local']);
  expect((await send(`${running.gateway.internalUrl}/health/live`, {})).status).toBe(200);
  // A part that doesn't answer for two seconds is missing, too: on a busy machine for a moment the database.
  await eventually(async () => {
    const ready = await send(`${running.gateway.internalUrl}/health/ready`, {});
    expect([ready.status, ready.body.missing.toSorted()]).toEqual([503, ['kafka', 'redis']]);
  });
});

it('has nothing internal on the public port', async () => {
  for (const path of ['/internal/tenants', '/health/live', '/metrics']) {
    expect((await get(running.gateway, path)).status).toBe(401);
    expect((await get(running.gateway, path, bearer(caller.key))).status).toBe(404);
  }
});

it('writes one line a request, and never a key', async () => {
  const { key, tenantId, id } = caller;
  const path = '/api/v1/customers/7';
  await get(running.gateway, `${path}?api_key=${key}&page=2`, { 'x-request-id': 'in-query' });
  await get(running.gateway, path, { 'x-api-key': key, 'x-request-id': 'in-header' });
  await get(running.gateway, path, { ...bearer(`${key}x`), 'x-request-id': 'refused' });
  const common = {
    method: 'GET',
    path,
    route: '/api/v1/customers/*',
    upstream: 'crm',
    duration_ms: expect.any(Number),
  };
  const served = { ...common, tenant_id: tenantId, key_id: id, status: 200 };
  await eventually(() => {
    expect(linesAbout('in-query')).toEqual([expect.objectContaining({ request_id: 'in-query', ...served })]);
    expect(linesAbout('in-header')).toEqual([
      expect.objectContaining({ request_id: 'in-header', ...served }),
    ]);
    expect(linesAbout('refused')).toEqual([expect.objectContaining({ ...common, status: 401 })]);
  });
  expect(running.output()).not.toContain(key.slice(8, 40));
});

it('a trace goes on from client to backend and into the log, or begins here', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const trace = { traceparent, tracestate: 'vendor=1' };
  await get(running.gateway, '/api/v1/staff', { ...bearer(caller.key), ...trace, 'x-request-id': 'traced' });
  expect(world.backend.requests.at(-1)?.headers).toMatchObject(trace);
  const untraced = { traceparent: 'nonsense', tracestate: 'vendor=1', 'x-request-id': 'untraced' };
  await get(running.gateway, '/api/v1/staff', { ...bearer(caller.key), ...untraced });
  const { headers } = world.backend.requests.at(-1) as ReceivedRequest;
  expect([headers.traceparent, headers.tracestate]).toEqual([
    expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    undefined,
  ]);
  await eventually(() => {
    expect(linesAbout('traced')[0]?.trace_id).toBe(traceparent.slice(3, 35));
    expect(linesAbout('untraced')[0]?.trace_id).toBe(String(headers.traceparent).slice(3, 35));
  });
});

it('reports requests, limits, keys and backends in its metrics', async () => {
  for (const headers of [bearer(caller.key), bearer(caller.key), {}])
    await get(running.gateway, '/api/v1/customers/7', headers);
  const expected = [
    'gateway_requests_total{route="/api/v1/customers/*",status="200",plan="enterprise"}',
    'gateway_requests_total{route="/api/v1/customers/*",status="401",plan="none"}',
    'gateway_rate_limit_decisions_total{limiter="tenant",outcome="allowed",scope="local"}',
    'gateway_key_lookups_total{found="remembered"}',
    'gateway_keys_remembered{kind="good"} 1',
    'gateway_upstream_duration_seconds_count{upstream="crm"}',
    'gateway_upstream_addresses{upstream="crm",state="in_use"} 1',
    'gateway_upstream_addresses{upstream="crm",state="resting"} 0',
    'http_request_duration_seconds_count{method="GET",route="/api/v1/customers/*",status="200"}',
    'process_cpu_seconds_total',
  ];
  // A request is counted once its answer has gone.
  await eventually(async () => {
    const metrics = await (await fetch(`${running.gateway.internalUrl}/metrics`)).text();
    for (const line of expected) expect(metrics).toContain(line);
  });
});

it('writes no address of a source', async () => {
  const token = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6';
  const from = (id: string) => ({ method: 'POST', body: '{}', headers: { 'x-request-id': id } });
  const url = `${running.gateway.url}/ingest/calls/${token}`;
  await send(`${url}?a=${token}`, from('to-a-source'));
  await send(`${url}/typo`, from('mistyped'));
  const path = '/ingest/calls/…';
  await eventually(() => {
    expect(linesAbout('to-a-source')).toEqual([
      expect.objectContaining({ path, route: '/ingest/calls/:source', upstream: 'calls', status: 200 }),
    ]);
    expect(linesAbout('mistyped')).toEqual([expect.objectContaining({ path: `${path}/typo`, status: 404 })]);
  });
  expect(running.output()).not.toContain(token);
});

it('a client that went away is not logged as the backend’s fault', async () => {
  world.backend.requests.length = 0;
  world.backend.respondWith(() => new Promise(() => {}));
  const leaving = new AbortController();
  const headers = { ...bearer(caller.key), 'x-request-id': 'gone' };
  const answer = fetch(`${running.gateway.url}/api/v1/staff`, { headers, signal: leaving.signal });
  await eventually(() => expect(world.backend.requests).toHaveLength(1));
  leaving.abort();
  await expect(answer).rejects.toThrow('abort');
  const line = await eventually(() => {
    const found = linesAbout('gone').find(({ msg }) => msg === 'request');
    expect(found).toBeDefined();
    return found;
  });
  expect(line).toMatchObject({ status: 499, upstream: 'scheduling' });
});

it('is not ready after SIGTERM, and goes on taking connections for DRAIN_MS, each for one answer', async () => {
  world.backend.respondWith(() => ({ status: 200, body: '{}' }));
  const draining = await startGatewayProcess(world, { DRAIN_MS: '1800000' });
  const { child, gateway } = draining;
  const ask = () =>
    sendRaw(gateway.url, lines('GET /api/v1/customers HTTP/1.1', 'Host: a', `X-API-Key: ${caller.key}`));
  try {
    expect((await get(gateway, '/api/v1/customers', bearer(caller.key))).headers.get('connection')).toBe(
      'keep-alive',
    );
    child.kill('SIGTERM');
    await eventually(async () => {
      const ready = await send(`${gateway.internalUrl}/health/ready`, {});
      expect([ready.status, ready.body.missing]).toEqual([503, expect.arrayContaining(['draining'])]);
    });
    expect((await send(`${gateway.internalUrl}/health/live`, {})).status).toBe(200);
    // Each of them reads to the end of its connection, which the gateway has to bring about.
    for (const { status, head } of await Promise.all(Array.from({ length: 20 }, ask)))
      expect([status, head]).toEqual([200, expect.stringContaining('\r\nconnection: close')]);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  } finally {
    child.kill('SIGKILL');
  }
});

it('finishes what is in flight on SIGTERM, writes when keys were last used, and exits 0', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  world.backend.requests.length = 0;
  world.backend.respondWith(async () => {
    await released;
    return { status: 200, body: '{}' };
  });
  const askedMs = Date.now();
  const answer = get(running.gateway, '/api/v1/staff', bearer(caller.key));
  await eventually(() => expect(world.backend.requests).toHaveLength(1));
  const exited = once(running.child, 'exit');
  running.child.kill('SIGTERM');
  await eventually(() => expect(running.output()).toContain('"msg":"stopping"'));
  release();
  expect((await answer).status).toBe(200);
  expect(await exited).toEqual([0, null]);
  const { at } = await world.database.system.one(lastUsed, { id: caller.id });
  expect(at?.getTime()).toBeGreaterThanOrEqual(askedMs);
});
