import { generateApiKey } from '@frontdesk/contracts';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  gaugeOf,
  get,
  randomAddress,
  startGatewayWorld,
  withinOneMinute,
} from './gateway-world.ts';

const PATH = '/api/v1/customers';

let world: GatewayWorld;
let gateway: Gateway;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

it('429 for an address that guesses well-formed keys by the hundred; a good key from there is let in all the same', () =>
  withinOneMinute(async () => {
    const from = { 'x-forwarded-for': randomAddress() };
    const guess = () => get(gateway, PATH, { ...from, ...bearer(generateApiKey()) });
    const statuses = (await Promise.all(Array.from({ length: 300 }, guess))).map(({ status }) => status);
    const refused = statuses.filter((status) => status === 401).length;
    expect(refused).toBe(60);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // A key that no gateway has seen yet, amidst more guesses.
    const { key } = await world.newCaller(gateway);
    const guesses = Array.from({ length: 100 }, guess);
    expect((await get(gateway, PATH, { ...from, ...bearer(key) })).status).toBe(200);
    await Promise.all(guesses);
    expect(await gaugeOf(gateway, 'gateway_keys_remembered{kind="unknown"}')).toBeLessThanOrEqual(400);
  }));
