import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { countsOf, insertBacklog } from '../backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { HOSTILITIES, type Hostility, startHostileReceiver } from '../hostile-receivers.ts';
import { appointmentEvents } from '../sample-events.ts';

const PER_ENDPOINT = 4;
const BACKLOG = 20_000;
const KIB = 1_024;
const MIB = 1_024 * KIB;
/** What a connection on this host may have buffered on its way, and more. */
const BUFFERED_BYTES = 16 * MIB;
const SHORT_MS = 1_500;
const NEVER_MS = 600_000;

describe('hostile endpoints', () => {
  let world: DeliveryWorld;
  let database: Client;
  let healthy: Receiver;
  let tenantId: number;
  let closings: (() => Promise<void>)[];

  const startHostile = async (hostility: Hostility) => {
    const receiver = await startHostileReceiver(hostility);
    closings.push(receiver.close);
    return receiver;
  };
  const statuses = (ofTenant: number) => countsOf(database, ofTenant);

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    healthy = await startReceiver();
    closings = [healthy.close];
    tenantId = uniqueTenantId();
    await world.subscribe(tenantId, healthy.url);
  });

  afterEach(async () => {
    // First, so that nothing that the engine waits for at its stop hangs.
    await Promise.all(closings.map((close) => close()));
    await database.end();
    await world.stop();
  });

  it('of every kind, and a long backlog, slow down no other tenant’s deliveries and keep to their limits', async () => {
    const neighbours = await Promise.all(
      (Object.keys(HOSTILITIES) as Hostility[]).map(async (hostility) => {
        const receiver = await startHostile(hostility);
        const neighbour = { hostility, receiver, tenantId: uniqueTenantId() };
        await world.subscribe(neighbour.tenantId, `${receiver.url}/once`);
        await world.receive(...appointmentEvents(neighbour.tenantId, 200));
        return neighbour;
      }),
    );
    const waiting = await startReceiver();
    closings.push(waiting.close);
    // It works off half of its backlog at most, however slow its neighbours are.
    waiting.respondWith(() =>
      waiting.requests.length < BACKLOG / 2 ? { status: 200 } : new Promise(() => {}),
    );
    const backlogged = uniqueTenantId();
    const endpoint = await world.subscribe(backlogged, waiting.url);
    await insertBacklog(database, { tenantId: backlogged, endpointId: endpoint.id, count: BACKLOG });

    const { engine } = await world.startEngine({ perEndpoint: PER_ENDPOINT });
    await eventually(() => {
      for (const { hostility, receiver } of neighbours) {
        const holds = hostility === 'hang' || hostility === 'drip';
        expect(receiver.mostAtOnce()).toBeGreaterThanOrEqual(holds ? PER_ENDPOINT : 1);
      }
      expect(waiting.requests.length).toBeGreaterThan(0);
    });
    await world.receive(...appointmentEvents(tenantId, 200));
    engine.wake();

    await eventually(async () => expect(await statuses(tenantId)).toMatchObject({ delivered: 200 }));
    expect(healthy.requests).toHaveLength(200);
    expect(await statuses(backlogged)).toMatchObject({ pending: expect.any(Number), failed: 0 });
    for (const { hostility, receiver, tenantId } of neighbours) {
      expect(receiver.mostAtOnce()).toBeLessThanOrEqual(PER_ENDPOINT);
      if (hostility === 'hang' || hostility === 'drip')
        expect((await statuses(tenantId)).pending).toBeGreaterThan(0);
    }
    expect((await statuses(backlogged)).pending).toBeGreaterThan(0);
  });

  it.each([
    { hostility: 'hang', timeoutMs: SHORT_MS, error_class: 'timeout', http_status: null },
    { hostility: 'drip', timeoutMs: SHORT_MS, error_class: 'timeout', http_status: null },
    { hostility: 'reset', timeoutMs: NEVER_MS, error_class: 'reset', http_status: null },
    { hostility: 'redirect', timeoutMs: NEVER_MS, error_class: 'redirect', http_status: 302 },
  ] as const)('that $hostility fail as $error_class', async ({ hostility, timeoutMs, ...attempt }) => {
    const { url } = await startHostile(hostility);
    const hostileTenant = uniqueTenantId();
    await world.subscribe(hostileTenant, url);
    await world.receive(...appointmentEvents(hostileTenant, 1));
    await world.startEngine({ retryDelaysSeconds: [], timeoutMs });

    await eventually(async () => expect(await statuses(hostileTenant)).toMatchObject({ failed: 1 }));
    const { attempts } = await world.latest(hostileTenant);
    expect(attempts).toEqual([expect.objectContaining(attempt)]);
    if (attempt.error_class === 'timeout')
      expect(attempts[0]?.duration_ms).toBeGreaterThanOrEqual(SHORT_MS - 1);
  });

  it('that answer 200 MB have 16 KiB of it read, each on a connection that is then closed', async () => {
    const flood = await startHostile('flood');
    const floodTenant = uniqueTenantId();
    await world.subscribe(floodTenant, flood.url);
    await world.receive(...appointmentEvents(floodTenant, 20));
    const memoryBefore = buffersInMemory();
    await world.startEngine({ perEndpoint: PER_ENDPOINT });

    let mostMemory = 0;
    await eventually(async () => {
      mostMemory = Math.max(mostMemory, buffersInMemory());
      expect(await statuses(floodTenant)).toMatchObject({ delivered: 20 });
      expect(flood.answers).toHaveLength(20);
    });
    expect(mostMemory - memoryBefore).toBeLessThan(BUFFERED_BYTES);
    for (const { bytes, isCutOff } of flood.answers) {
      expect(isCutOff).toBe(true);
      expect(bytes).toBeLessThan(BUFFERED_BYTES);
    }
    expect((await world.latest(floodTenant)).response_body).toBe('x'.repeat(16 * KIB));
  });

  it('that answer slowly get the next delivery with every answer, though the engine was woken in vain meanwhile', async () => {
    const woken = Promise.withResolvers<{ wake(): void }>();
    let looks = 0;
    const claimAnswered = async () => {
      looks += 1;
    };
    healthy.respondWith(async () => {
      const { wake } = await woken.promise;
      const before = looks;
      wake();
      await eventually(() => expect(looks).toBeGreaterThan(before));
      return { status: 200 };
    });
    await world.receive(...appointmentEvents(tenantId, 30));
    // It never looks for itself.
    const { engine } = await world.startEngine({ perEndpoint: 1, claimAnswered, pollMs: NEVER_MS });
    woken.resolve(engine);
    await eventually(async () => expect(await statuses(tenantId)).toMatchObject({ delivered: 30 }));
  });

  it.each([
    { count: 12, perTenant: 4, perEndpoint: PER_ENDPOINT },
    // More than one claim looks at.
    { count: 40, perTenant: 64, perEndpoint: 20 },
  ])(
    'of one tenant take turns, where there are more of them than it may have in flight: $count',
    async ({ count, ...limits }) => {
      const paths = Array.from({ length: count }, (_, nth) => `/turns/${nth}`);
      const crowded = uniqueTenantId();
      for (const path of paths) {
        const endpoint = await world.subscribe(crowded, healthy.url + path);
        await insertBacklog(database, { tenantId: crowded, endpointId: endpoint.id, count: 200 });
      }
      await world.startEngine(limits);
      const rounds = 20;
      const sent = rounds * paths.length;
      await eventually(() => expect(healthy.requests.length).toBeGreaterThanOrEqual(sent));
      const counts = Map.groupBy(healthy.requests.slice(0, sent), ({ path }) => path);
      expect([...counts.keys()].toSorted()).toEqual(paths.toSorted());
      expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThanOrEqual(3 * rounds);
    },
  );

  it('of two tenants take turns, though all that are under way end at once, and there are more than one claim may bring', async () => {
    const crowded = [uniqueTenantId(), uniqueTenantId()];
    const paths = crowded.flatMap((id) => Array.from({ length: 40 }, (_, nth) => `/${id}/${nth}`));
    for (const tenant of crowded)
      for (const path of paths.filter((path) => path.startsWith(`/${tenant}/`))) {
        const endpoint = await world.subscribe(tenant, healthy.url + path);
        await insertBacklog(database, { tenantId: tenant, endpointId: endpoint.id, count: 100 });
      }
    const waiting: (() => void)[] = [];
    healthy.respondWith(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return { status: 200 };
    });
    await world.startEngine({ perTenant: 64, perEndpoint: 20 });
    for (let round = 0; round < 20; round += 1) {
      await eventually(() => expect(waiting.length).toBeGreaterThanOrEqual(80));
      for (const answer of waiting.splice(0)) answer();
    }
    const counts = Map.groupBy(healthy.requests, ({ path }) => path);
    const sent = paths.map((path) => counts.get(path)?.length ?? 0);
    expect(Math.min(...sent)).toBeGreaterThan(0);
    expect(Math.max(...sent)).toBeLessThanOrEqual((3 * healthy.requests.length) / paths.length);
    healthy.respondWith(() => ({ status: 200 }));
    for (const answer of waiting.splice(0)) answer();
  });

  it('that hang, six tenants’ with a long backlog at once, leave places for another tenant', async () => {
    const hanging = await startHostile('hang');
    for (let nth = 0; nth < 6; nth += 1) {
      const hangingTenant = uniqueTenantId();
      const endpoint = await world.subscribe(hangingTenant, `${hanging.url}/${nth}`);
      await insertBacklog(database, { tenantId: hangingTenant, endpointId: endpoint.id, count: 100 });
    }
    const { engine } = await world.startEngine({ total: 100, perTenant: 64, perEndpoint: 20 });
    await eventually(() => expect(hanging.open()).toBeGreaterThan(80));
    await world.receive(...appointmentEvents(tenantId, 20));
    engine.wake();
    await eventually(async () => expect(await statuses(tenantId)).toMatchObject({ delivered: 20 }));
    expect(hanging.answers).toEqual([]);
  });

  it.each([25, 100])(
    'that hang, %i of one tenant, get no more than its limit, and another tenant notices nothing',
    async (count) => {
      const hanging = await startHostile('hang');
      const hangingTenant = uniqueTenantId();
      const paths = Array.from({ length: count }, (_, nth) => `/${nth}`);
      for (const path of paths) await world.subscribe(hangingTenant, hanging.url + path);
      await world.receive(...appointmentEvents(hangingTenant, 10));
      const perTenant = 16;
      const { engine } = await world.startEngine({
        perTenant,
        perEndpoint: PER_ENDPOINT,
      });
      await eventually(() => expect(hanging.open()).toBeGreaterThanOrEqual(perTenant));

      await world.receive(...appointmentEvents(tenantId, 200));
      engine.wake();
      await eventually(async () => expect(await statuses(tenantId)).toMatchObject({ delivered: 200 }));
      // Not one of the hanging has come to an end meanwhile: nobody waited for them.
      expect(hanging.answers).toEqual([]);
      expect(hanging.mostAtOnce()).toBeLessThanOrEqual(perTenant);
      for (const path of paths) expect(hanging.mostAtOnce(path)).toBeLessThanOrEqual(PER_ENDPOINT);
    },
  );
});

/** Where what arrives on sockets lies. */
const buffersInMemory = () => process.memoryUsage().external;
