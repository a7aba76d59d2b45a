import { createLogger } from '@frontdesk/service';
import { createKeyUsage } from '../../../../services/gateway/src/keys/key-usage.worker.ts';
import { adminOf, type Gateway, type GatewayWorld, startGatewayWorld } from '../gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

it('counts each request once where the database fails about midnight, and requests come meanwhile', async () => {
  const { tenantId, id: keyId } = await world.newCaller(gateway);
  const access = {
    tenantId,
    keyId,
    plan: 'pro',
    status: 'active',
    scopes: [],
    expiresAtMs: null,
    networks: null,
  } as const;
  const usage = createKeyUsage({
    database: world.database,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const midnight = Date.now() - (Date.now() % 86_400_000);
  const noteAt = (timeMs: number) => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(timeMs);
    usage.note(access);
    now.mockRestore();
  };
  noteAt(midnight - 1);
  noteAt(midnight);
  const { promise: answer, reject: fail } = Promise.withResolvers<never>();
  jest.spyOn(world.database.system, 'run').mockReturnValueOnce(answer);
  const flushed = usage.flush();
  noteAt(midnight + 1);
  fail(new Error('the database restarts'));
  await expect(flushed).rejects.toThrow('restarts');

  await usage.flush();
  const path = `/internal/tenants/${tenantId}/keys/${keyId}/use`;
  const { body } = await world.internal(gateway, adminOf(tenantId), 'GET', path);
  const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  expect(body.data).toEqual([
    { day: dayOf(midnight), requests: 2 },
    { day: dayOf(midnight - 1), requests: 1 },
  ]);
});
