import { IDENTITY_HEADER, SCOPES_OF_EARLIER_KEYS } from '@frontdesk/contracts';
import { createIdentityVerifier } from '@frontdesk/service';
import { eventually, identityKeys } from '../../../support/index.ts';
import {
  type Answer,
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  startGatewayWorld,
} from '../gateway-world.ts';

const KEYS_OF_EACH = 3;
/** Of one key on one gateway: far fewer than the plan allows in a minute. */
const MOST_REQUESTS = 200;
const BEFORE = SCOPES_OF_EARLIER_KEYS.toSorted().join(' ');

let world: GatewayWorld;
let gateways: [Gateway, Gateway];

beforeAll(async () => {
  world = await startGatewayWorld();
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
  const { publicKeysFile } = identityKeys();
  const verifier = await createIdentityVerifier({ audience: 'scheduling', publicKeysFile });
  // The service answers what it is told that the key may do.
  world.backend.respondWith(async ({ headers }) => {
    const { scopes } = await verifier.verify(String(headers[IDENTITY_HEADER]));
    const body = JSON.stringify({ success: true, data: [...scopes] });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  });
});
afterAll(() => world.stop());

/** What the key may do, or why it may nothing. */
const outcomeOf = ({ status, body }: Answer): string =>
  status === 200 ? (body.data as unknown as string[]).toSorted().join(' ') : String(body.code);

/** Asks one gateway with the key, time and again. */
function use(gateway: Gateway, key: string) {
  const outcomes: string[] = [];
  let isOver = false;
  const ended = (async () => {
    while (!isOver && outcomes.length < MOST_REQUESTS)
      outcomes.push(outcomeOf(await get(gateway, '/api/v1/staff', bearer(key))));
  })();
  return {
    outcomes,
    end: () => {
      isOver = true;
      return ended;
    },
  };
}

type Change = (verb: string, body?: object) => Promise<Answer>;

/** What is done to a key, and what it is for from then on. */
const CHANGES: [what: string, after: string, make: (change: Change) => Promise<Answer[]>][] = [
  ['revoked', 'unauthorized', async (change) => [await change('revoke')]],
  ['rolled', 'unauthorized', async (change) => [await change('roll', { hours: 0 })]],
  [
    'held to other networks',
    'network_not_allowed',
    async (change) => [await change('', { networks: ['203.0.113.0/24'] })],
  ],
  ['narrowed', 'staff:read', async (change) => [await change('', { scopes: ['staff:read'] })]],
  [
    'rolled twice and revoked at once',
    'unauthorized',
    (change) => Promise.all([change('roll', { hours: 0 }), change('revoke'), change('roll', { hours: 0 })]),
  ],
  [
    'narrowed and widened by two at once, then revoked',
    'unauthorized',
    async (change) => [
      ...(await Promise.all([
        change('', { scopes: ['staff:read'] }),
        change('', { scopes: [...SCOPES_OF_EARLIER_KEYS] }),
      ])),
      await change('revoke'),
    ],
  ],
];

it('a key in use becomes what it is made on every gateway, and never again what it was', async () => {
  const used = await Promise.all(
    CHANGES.flatMap(([what, after, make]) =>
      Array.from({ length: KEYS_OF_EACH }, async () => {
        const { tenantId, id, key } = await world.newCaller(gateways[0]);
        const change: Change = (verb, body) =>
          world.internal(
            gateways[0],
            adminOf(tenantId),
            verb === '' ? 'PATCH' : 'POST',
            `/internal/tenants/${tenantId}/keys/${id}${verb && `/${verb}`}`,
            body,
          );
        return { what, after, make: () => make(change), uses: gateways.map((gateway) => use(gateway, key)) };
      }),
    ),
  );
  try {
    for (const { uses } of used)
      for (const { outcomes } of uses) await eventually(async () => expect(outcomes).toContain(BEFORE));
    const answers = await Promise.all(used.map(({ make }) => make()));
    for (const [index, { what, after, uses }] of used.entries()) {
      const statuses = answers[index]?.map(({ status }) => status) ?? [];
      // What comes second to a roll or a revocation finds nothing to change.
      expect([what, statuses.filter((status) => ![200, 201, 404, 422].includes(status))]).toEqual([what, []]);
      expect([what, statuses.some((status) => status < 300)]).toEqual([what, true]);
      for (const { outcomes } of uses)
        await eventually(async () =>
          expect([what, outcomes]).toEqual([what, expect.arrayContaining([after])]),
        );
    }
    // Whatever was under way meanwhile has come in by then.
    for (const { uses } of used)
      for (const { outcomes } of uses) {
        const soFar = outcomes.length;
        await eventually(async () =>
          expect(outcomes.length).toBeGreaterThan(Math.min(soFar + 5, MOST_REQUESTS - 1)),
        );
      }
  } finally {
    await Promise.all(used.flatMap(({ uses }) => uses.map(({ end }) => end())));
  }
  for (const { what, after, uses } of used)
    for (const { outcomes } of uses)
      expect([what, outcomes.slice(outcomes.indexOf(after)).filter((one) => one !== after)]).toEqual([
        what,
        [],
      ]);
});
