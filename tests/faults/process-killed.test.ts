import { eventually } from '../support/index.ts';
import { type Fleet, type FleetMember, startFleet } from './support/fleet.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);
/** On a slow machine. */
const SECONDS_PER_ROUND = 150;
/** A wait for the end of a lease would last beyond the end of this test. */
const LEASE_MARGIN_MS = '3600000';

describe('webhooks processes that are killed again and again in mid-delivery', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet({ env: { LEASE_MARGIN_MS } });
  });
  afterAll(() => fleet?.stop());

  it(
    'lose nothing: the other one goes on at once with what the dead one held, and only that arrives twice',
    async () => {
      const members: FleetMember[] = [await fleet.start(), await fleet.start()];
      await fleet.moreArrive();
      const held: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const [victim] = members.splice(0, 1) as [FleetMember];
        const orphans = await fleet.killInMidDelivery(victim);
        held.push(...orphans.map(fleet.place));
        // The remaining process is alone: the successor of the dead one is not there yet.
        await eventually(async () => {
          const statuses = await fleet.ledger.statusesOf(orphans.map(({ id }) => id));
          expect(statuses).toEqual(orphans.map(() => 'delivered'));
        });
        members.push(await fleet.start());
        await fleet.moreArrive();
      }

      const places = await fleet.everythingArrives();
      expect(await fleet.ledger.totals()).toMatchObject({ attempts: places });
      expect(fleet.unexplainedRepeats(held)).toEqual([]);
      if (process.env.FAULT_ROUNDS)
        console.log(
          `${ROUNDS} kills: ${places} places, ${held.length} held, ${fleet.repeats().size} arrived again`,
        );
    },
    ROUNDS * SECONDS_PER_ROUND * 1_000,
  );
});
