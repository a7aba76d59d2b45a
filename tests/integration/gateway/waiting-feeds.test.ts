import { eventually } from '../../support/index.ts';
import { bearer, type GatewayWorld, get, operator, startGatewayWorld } from './gateway-world.ts';

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

describe('requests that wait for events', () => {
  it('outlast the time that others have', async () => {
    const gateway = await world.startGateway({ UPSTREAM_TIMEOUT_MS: '100' });
    const { key } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand({ isElseSilent: true });
    const feed = get(gateway, '/api/v1/events?wait=25', bearer(key));
    await eventually(() => expect(waiting()).toBe(1));
    // Two of them begin and end while it waits.
    for (let i = 0; i < 2; i += 1)
      expect((await get(gateway, '/api/v1/customers', bearer(key))).status).toBe(504);
    release();
    expect((await feed).status).toBe(200);
  });

  it.each([
    [401, 'unauthorized', 'whose key was revoked meanwhile', 'POST', '/keys/KEY/revoke'],
    [403, 'tenant_suspended', 'whose business was suspended meanwhile', 'PATCH', ''],
  ] as const)('%i %s: brings no events to a client %s', async (status, code, _whose, method, path) => {
    const gateway = await world.startGateway();
    const { key, id, tenantId } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand();
    const feed = get(gateway, '/api/v1/events?wait=25', bearer(key));
    await eventually(() => expect(waiting()).toBe(1));
    const address = `/internal/tenants/${tenantId}${path.replace('KEY', String(id))}`;
    const changed = await world.internal(gateway, operator, method, address, { status: 'suspended' });
    expect(changed.status).toBe(200);
    release();
    const { status: answered, body } = await feed;
    expect([answered, body.code]).toEqual([status, code]);
  });

  it('leave the tenant’s other requests their places', async () => {
    const gateway = await world.startGateway();
    const { key } = await world.newCaller(gateway);
    const { release, waiting } = feedOnDemand();
    const feeds = Array.from({ length: PLACES + 1 }, () =>
      get(gateway, '/api/v1/events?wait=25', bearer(key)),
    );
    await eventually(() => expect(waiting()).toBe(PLACES));
    expect((await get(gateway, '/api/v1/customers', bearer(key))).status).toBe(200);
    release();
    for (const { status } of await Promise.all(feeds)) expect(status).toBe(200);
  });
});
