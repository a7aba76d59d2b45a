import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually, type ReceivedRequest } from '../support/index.ts';
import { type Fleet, type FleetMember, startFleet } from './support/fleet.ts';

const preload = pathToFileURL(join(import.meta.dirname, 'support', 'steppable-clock.ts')).href;
const DAY_MS = 86_400_000;
/** When a delivery is due is said by the clock of PostgreSQL, whatever that of its sender says. */
const RETRY_SECONDS = 1;
const EARLIEST_RETRY_MS = 0.9 * RETRY_SECONDS * 1_000;
const FAILURES = 10;

describe.each([
  { stepped: 'a day ahead', byMs: DAY_MS },
  { stepped: 'a day back', byMs: -DAY_MS },
])('a webhooks process whose clock is stepped $stepped, beside one whose clock is right', ({ byMs }) => {
  let fleet: Fleet;
  let members: FleetMember[];

  beforeAll(async () => {
    fleet = await startFleet({ env: { RETRY_DELAYS_SECONDS: `${RETRY_SECONDS},${RETRY_SECONDS}` } });
    members = await Promise.all([
      fleet.start({ NODE_OPTIONS: `--import=${preload}`, FAULT_CLOCK_MS: String(byMs) }),
      fleet.start(),
    ]);
  });
  afterAll(() => fleet?.stop());

  const requests = () => [...fleet.arrivals().values()].flat();

  it('loses nothing, doubles nothing, and tries again when it is time by the clock of the database', async () => {
    await fleet.moreArrive();
    process.kill(members[0]?.pid ?? 0, 'SIGUSR2');
    await eventually(() => {
      const signedAwry = requests().filter((request) => Math.abs(driftMs(request)) > Math.abs(byMs) / 2);
      expect(signedAwry.length).toBeGreaterThan(FAILURES);
    });
    fleet.failNext(FAILURES);
    await fleet.moreArrive(200);

    const places = await fleet.everythingArrives();
    expect(await fleet.ledger.totals()).toMatchObject({ attempts: places + FAILURES });
    const retried = [...fleet.arrivals().values()].filter(({ length }) => length > 1);
    expect(retried.flatMap((all) => all.slice(1))).toHaveLength(FAILURES);
    for (const [first, second] of retried as [ReceivedRequest, ReceivedRequest][]) {
      const waitedMs = second.receivedAt.getTime() - first.receivedAt.getTime();
      expect(waitedMs).toBeGreaterThanOrEqual(EARLIEST_RETRY_MS);
    }
    expect(await Promise.all(members.map(fleet.end))).toEqual([0, 0]);
  }, 600_000);
});

/** How far the clock that signed a request was from the receiver's. */
function driftMs({ headers, receivedAt }: ReceivedRequest): number {
  return Number(headers['webhook-timestamp']) * 1_000 - receivedAt.getTime();
}
