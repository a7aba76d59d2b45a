import {
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
  withinOneMinute,
} from './gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;
beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/usage`;

it('shows the usage of both windows, and uses nothing of them', () =>
  withinOneMinute(async () => {
    const { tenantId, key } = await world.newCaller(gateway, { plan: 'starter' });
    for (let i = 0; i < 3; i += 1) await get(gateway, '/api/v1/customers', bearer(key));
    for (const caller of [adminOf(tenantId), operator]) {
      const { status, body } = await world.internal(gateway, caller, 'GET', pathOf(tenantId));
      expect([status, body.data]).toEqual([
        200,
        {
          plan: 'starter',
          minute: { limit: 30, used: 3, resets_at: expect.stringMatching(/:00\.000Z$/) },
          day: { limit: 5_000, used: 3, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
        },
      ]);
    }
  }));

it('404 for another tenant’s admin, and for a tenant that does not exist', async () => {
  const [own, other] = [await world.newTenant(gateway), await world.newTenant(gateway)];
  expect((await world.internal(gateway, adminOf(own), 'GET', pathOf(other))).status).toBe(404);
  expect((await world.internal(gateway, operator, 'GET', pathOf(2 ** 50))).status).toBe(404);
});
