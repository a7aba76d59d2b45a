import crypto from 'node:crypto';
import { apiKeyWith, generateApiKey } from '@frontdesk/contracts';
import pg from 'pg';
import {
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  randomAddress,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

/**
 * No wall clock: on a machine that does anything else a time says nothing, and a difference that is there hides. What is counted is
 * all that a time could come from: how often a key is hashed, and all of it; what is asked of the database, and by what. A guess
 * chooses a key, not its hash, so no look-up reveals how much of the guess was right.
 */
const PATH = '/api/v1/customers';

describe('what a key costs, in hashes and look-ups', () => {
  const LOOK_UP = 'api_key_access';

  type Query = { name?: string; values?: unknown[] };
  let world: GatewayWorld;
  let gateway: Gateway;

  beforeAll(async () => {
    world = await startGatewayWorld();
    // Whatever it hears of other tests' keys makes it forget, and look up again; of what it changes itself it knows.
    const without = ['gateway count', 'redis-subscription', 'access-changes'];
    gateway = await world.startGateway({}, { without });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const revoke = ({ tenantId, id }: { tenantId: number; id: number }) =>
    world.internal(gateway, operator, 'POST', `/internal/tenants/${tenantId}/keys/${id}/revoke`);

  const sha256 = (key: string) => crypto.createHash('sha256').update(key).digest('hex');

  /** Two requests with a key that no gateway has seen yet: what each of them answers, and the work that it makes. */
  async function workOf(key: string) {
    const hash = jest.spyOn(crypto, 'hash');
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const steps = [];
    for (let nth = 0; nth < 2; nth += 1) {
      hash.mockClear();
      query.mockClear();
      const { status, body } = await get(gateway, PATH, bearer(key));
      steps.push({
        status,
        message: body.message,
        hashed: hash.mock.calls
          .map(([, text]) => text)
          .filter((text) => typeof text === 'string' && text.includes('fd_')),
        lookedUp: query.mock.calls
          .map(([asked]) => asked as unknown as Query)
          .filter(({ name }) => name === LOOK_UP)
          .map(({ values }) => values),
      });
    }
    return steps;
  }

  /** One hash of the whole key each time, and one look-up, by that hash alone, of which the second request knows the outcome. */
  const workOfAny = (key: string, status: number) => [
    expect.objectContaining({ status, hashed: [key], lookedUp: [[`{"${sha256(key)}"}`]] }),
    expect.objectContaining({ status, hashed: [key], lookedUp: [] }),
  ];

  const refused = async (key: string) => {
    const work = await workOf(key);
    expect(work).toEqual(workOfAny(key, 401));
    return work.map(({ message }) => message);
  };

  it('is for a right key what it is for a wrong one', async () => {
    const { key } = await world.newCaller(gateway);
    expect(await workOf(key)).toEqual(workOfAny(key, 200));
    await refused(generateApiKey());
  });

  it('is for a wrong key the same however much of it is right, and whether it ever was', async () => {
    const caller = await world.newCaller(gateway);
    const { key } = caller;
    const characters = key.slice('fd_live_'.length, -6);
    const other = (character: string | undefined) => (character === 'a' ? 'b' : 'a');
    const answers = [
      await refused(apiKeyWith(characters.slice(0, -1) + other(characters.at(-1)))),
      await refused(apiKeyWith(other(characters[0]) + characters.slice(1))),
      await refused(generateApiKey()),
    ];
    await revoke(caller);
    answers.push(await refused(key));
    expect(new Set(answers.flat()).size).toBe(1);
  });

  it('is none for what can be nobody’s key, however near to one it is', async () => {
    const { key } = await world.newCaller(gateway);
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const wrong of [mistyped, key.slice(0, -1), `${key}a`, 'fd_live_x'])
      expect(await workOf(wrong)).toEqual(
        Array(2).fill(expect.objectContaining({ status: 401, hashed: [], lookedUp: [] })),
      );
  });
});

describe('floods of unknown keys', () => {
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
      expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(100).fill(429));
    }));
});
