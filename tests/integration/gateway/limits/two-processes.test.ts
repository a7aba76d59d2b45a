import { eventually } from '../../../support/index.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts';
import {
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

const PATH = '/api/v1/customers';

let world: GatewayWorld;
let first: Gateway;
let processes: GatewayProcess[] = [];

beforeAll(async () => {
  world = await startGatewayWorld();
  first = await world.startGateway();
  processes = await Promise.all([startGatewayProcess(world), startGatewayProcess(world)]);
});
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL');
  await world.stop();
});

const ask = (n: number, key: string) => get((processes[n % 2] as GatewayProcess).gateway, PATH, bearer(key));

it('exactly the plan’s requests get through, of 50 in parallel over two processes', async () => {
  const { key } = await world.newCaller(first);
  for (const n of [0, 1])
    await eventually(async () => expect((await ask(n, key)).headers.get('x-ratelimit-scope')).toBeNull());
  await withinOneMinute(async () => {
    const { key: fresh } = await world.newCaller(first, { plan: 'starter' });
    const statuses = (await Promise.all(Array.from({ length: 50 }, (_, n) => ask(n, fresh)))).map(
      ({ status }) => status,
    );
    const countOf = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect([countOf(200), countOf(429)]).toEqual([30, 20]);
    expect((await ask(1, fresh)).status).toBe(429);
  });
});

it('a key that is revoked at one is refused by the others as soon as they hear of it', async () => {
  const { tenantId, id, key } = await world.newCaller(first);
  expect([(await ask(0, key)).status, (await ask(1, key)).status]).toEqual([200, 200]);
  await world.internal(first, adminOf(tenantId), 'POST', `/internal/tenants/${tenantId}/keys/${id}/revoke`);
  await eventually(async () =>
    expect([(await ask(0, key)).status, (await ask(1, key)).status]).toEqual([401, 401]),
  );
});
