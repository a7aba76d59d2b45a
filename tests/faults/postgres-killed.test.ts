import { type PostgresFleet, startPostgresFleet } from './support/postgres-fleet.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 4);
/** On a slow machine. */
const SECONDS_PER_ROUND = 200;

describe('a PostgreSQL that is killed again and again in mid-delivery', () => {
  let fleet: PostgresFleet;

  beforeAll(async () => {
    fleet = await startPostgresFleet();
  });
  afterAll(() => fleet?.stop());

  it(
    'costs no acknowledged event and no process; only what was under way is sent again',
    async () => {
      const held: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        held.push(...(await fleet.failOnce()));
        await fleet.areReady(200);
        await fleet.moreArrive();
      }

      const places = await fleet.everythingArrives();
      expect(fleet.unexplainedRepeats(held)).toEqual([]);
      if (process.env.FAULT_ROUNDS)
        console.log(
          `${ROUNDS} kills: ${places} places, ${held.length} held, ${fleet.repeats().size} arrived again`,
        );
      expect(await fleet.endAll()).toEqual([0, 0]);
    },
    ROUNDS * SECONDS_PER_ROUND * 1_000,
  );
});
