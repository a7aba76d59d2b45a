import { type Gateway, type GatewayWorld, startGatewayWorld } from './gateway-world.ts';

/** The gateway of the test file, and the caller of all its tests: a tenant with a key. */
export let world: GatewayWorld;
export let gateway: Gateway;
export let caller: { tenantId: number; id: number; key: string };
export let key: string;

/** Starts these for the tests of a file, and stops them. Before each test the backend has no requests and answers like this. */
export function startForEachTest(answer = { status: 200, body: '{}' }): void {
  beforeAll(async () => {
    world = await startGatewayWorld();
    gateway = await world.startGateway();
    caller = await world.newCaller(gateway);
    key = caller.key;
  });
  beforeEach(() => {
    world.backend.requests.length = 0;
    world.backend.respondWith(() => answer);
  });
  afterAll(() => world.stop());
}
