import type { Socket } from 'node:net';
import { eventually } from '../../../support/index.ts';
import { bearer, type GatewayWorld, get, operator, startGatewayWorld } from '../gateway-world.ts';
import { lines, open } from '../raw-client.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld } from './upstream-world.ts';

describe('requests that wait for events', () => {
  /** As many requests of a tenant are under way at other services. */
  const PLACES = 32;

  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.stop());

  /** A backend whose feed answers when it is told to, and everything else at once or never. */
  function feedOnDemand({ isElseSilent = false } = {}) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const isFeed = (url: string | undefined) => url?.startsWith('/api/v1/events') === true;
    world.backend.requests.length = 0;
    world.backend.respondWith(async ({ path }) => {
      if (isFeed(path)) await released;
      else if (isElseSilent) await new Promise(() => {});
      return { status: 200, body: '{}' };
    });
    return { release, waiting: () => world.backend.requests.filter(({ path }) => isFeed(path)).length };
  }

  it('outlast the time that others have', async () => {
    const gateway = await world.startGateway({ UPSTREAM_TIMEOUT_MS: '100' });
    const { key } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand({ isElseSilent: true });
    const feed = get(gateway, '/api/v1/events?wait=25', bearer(key));
    await eventually(() => expect(waiting()).toBe(1));
    // Several of them, the same service's too, begin and end while it waits.
    for (const path of ['/api/v1/customers', '/api/v1/webhooks', '/api/v1/webhook-deliveries'])
      expect([path, (await get(gateway, path, bearer(key))).status]).toEqual([path, 504]);
    release();
    expect((await feed).status).toBe(200);
  });

  it.each([
    [401, 'unauthorized', 'whose key was revoked meanwhile', 'POST', '/keys/KEY/revoke', {}],
    [
      403,
      'network_not_allowed',
      'whose key was held to other networks meanwhile',
      'PATCH',
      '/keys/KEY',
      { networks: ['203.0.113.0/24'] },
    ],
    [
      503,
      'service_unavailable',
      'whose key was narrowed meanwhile',
      'PATCH',
      '/keys/KEY',
      { scopes: ['events:read'] },
    ],
    [403, 'tenant_suspended', 'whose business was suspended meanwhile', 'PATCH', '', { status: 'suspended' }],
  ] as const)('%i %s: brings no events to a client %s', async (status, code, _whose, method, path, body) => {
    const gateway = await world.startGateway();
    const { key, id, tenantId } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand();
    const feed = get(gateway, '/api/v1/events?wait=25', bearer(key));
    await eventually(() => expect(waiting()).toBe(1));
    const address = `/internal/tenants/${tenantId}${path.replace('KEY', String(id))}`;
    const changed = await world.internal(gateway, operator, method, address, body);
    expect(changed.status).toBe(200);
    release();
    const answer = await feed;
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('bring their events to a client whose key may do more meanwhile, from everywhere', async () => {
    const gateway = await world.startGateway();
    const tenantId = await world.newTenant(gateway);
    const { key, id } = await world.newKey(gateway, tenantId, {
      scopes: ['events:read'],
      networks: ['10.0.0.0/8'],
    });
    const { release, waiting } = feedOnDemand();
    const feed = get(gateway, '/api/v1/events?wait=25', bearer(key));
    await eventually(() => expect(waiting()).toBe(1));
    const wider = { scopes: ['events:read', 'calls:read'], networks: null };
    const address = `/internal/tenants/${tenantId}/keys/${id}`;
    expect((await world.internal(gateway, operator, 'PATCH', address, wider)).status).toBe(200);
    release();
    expect((await feed).status).toBe(200);
  });

  it('leave the tenant’s other requests their places', async () => {
    const gateway = await world.startGateway();
    const { key } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand();
    const feeds = Array.from({ length: PLACES + 1 }, () =>
      get(gateway, '/api/v1/events?wait=25', bearer(key)),
    );
    await eventually(() => expect(waiting()).toBe(PLACES));
    for (const path of ['/api/v1/customers', '/api/v1/webhooks', '/api/v1/webhook-deliveries'])
      expect((await get(gateway, path, bearer(key))).status).toBe(200);
    release();
    for (const { status } of await Promise.all(feeds)) expect(status).toBe(200);
  });
});

describe('answers that nobody reads', () => {
  const MEBIBYTE = 1024 * 1024;
  const PLACES = 8;
  /** Far beyond what the system's own buffers take of it. */
  const LARGE = Buffer.alloc(12 * MEBIBYTE, 'x');

  let sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    return endUpstreamWorlds();
  });

  /** One address; large answers on every path but /small. */
  async function startLargeWorld(options: Parameters<typeof startUpstreamWorld>[0] = {}) {
    const world = await startUpstreamWorld({
      up: [0],
      hosts: [HOSTS[0]],
      placesOfHolder: PLACES,
      ...options,
    });
    world.receivers[0]?.respondWith(({ path }) => ({
      status: 200,
      body: path.endsWith('/small') ? 'ok' : LARGE,
    }));
    /** A client of this holder that asks and then reads nothing. */
    const ask = (holder: string) => {
      const socket = open(world.url).pause();
      socket.on('error', () => {});
      socket.write(lines(`GET /${holder}/large HTTP/1.1`, 'host: x'));
      sockets.push(socket);
      return socket;
    };
    const underWay = async () => {
      const [, calls] = /^gateway_upstream_calls\{upstream="crm"\} (\d+)$/m.exec(await world.metrics()) ?? [];
      return Number(calls);
    };
    return { ...world, ask, underWay };
  }

  it('a client that reads none of many large answers takes no more than its calls at a backend; all come once it reads', async () => {
    const { ask, url, received, underWay } = await startLargeWorld();
    const careless = Array.from({ length: PLACES + 20 }, () => ask('careless'));
    await eventually(() => expect(received()).toEqual([PLACES]));
    const other = await fetch(`${url}/other/small`);
    expect([other.status, await other.text()]).toEqual([200, 'ok']);
    expect([received(), await underWay()]).toEqual([[PLACES + 1], PLACES]);

    let bytes = 0;
    for (const socket of careless)
      socket.resume().on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
    await eventually(() => expect(bytes).toBeGreaterThan(careless.length * LARGE.length));
    await eventually(async () => expect(await underWay()).toBe(0));
  });

  it('clients that go away give their places to those who wait', async () => {
    const { ask, received, underWay } = await startLargeWorld();
    const [first, second] = [0, 1].map(() => Array.from({ length: PLACES }, () => ask('careless')));
    await eventually(() => expect(received()).toEqual([PLACES]));
    for (const socket of first ?? []) socket.destroy();
    await eventually(() => expect(received()).toEqual([2 * PLACES]));
    for (const socket of second ?? []) socket.destroy();
    await eventually(async () => expect(await underWay()).toBe(0));
  });

  it('answers that pile up behind a slow one on the same connection go with it', async () => {
    const { url, receivers, received, underWay } = await startLargeWorld({ takenWithinMs: 2_000 });
    receivers[0]?.respondWith(async ({ path }) => {
      if (path.endsWith('/slow')) await new Promise(() => {});
      return { status: 200, body: LARGE };
    });
    const socket = open(url);
    sockets.push(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).resume();
    socket.write(lines('GET /careless/slow HTTP/1.1', 'host: x'));
    await eventually(() => expect(received()).toEqual([1]));
    socket.write(lines('GET /careless/large HTTP/1.1', 'host: x').repeat(20));
    await closed;
    await eventually(async () => expect(await underWay()).toBe(0));
  });

  it('a client that goes away while its answer is looked at takes its call with it, and nobody else’s', async () => {
    const { promise: verdict, resolve: decide } = Promise.withResolvers<null>();
    const { promise: isLookedAt, resolve: look } = Promise.withResolvers<void>();
    const { ask, underWay, url, failures } = await startLargeWorld({
      screen() {
        look();
        return verdict;
      },
    });
    const socket = ask('leaving');
    await isLookedAt;
    socket.destroy();
    await eventually(async () => expect(await underWay()).toBe(0));
    decide(null);
    await eventually(() => expect(failures).toEqual([400]));
    expect((await fetch(`${url}/other/small`)).status).toBe(200);
  });
});
