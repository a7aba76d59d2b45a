import { eventually } from '../support/index.ts';
import { type Fleet, type FleetMember, startFleet } from './support/fleet.ts';
import { type OwnEngine, startOwnEngine } from './support/own-engine.ts';

const KILLS = Number(process.env.FAULT_ROUNDS ?? 2);
/** A broker that starts again, and members that join again, on a slow machine. */
const SECONDS_PER_KILL = 300;

describe('a Kafka that is killed in mid-delivery', () => {
  let kafka: OwnEngine;
  let fleet: Fleet;
  let members: FleetMember[];

  beforeAll(async () => {
    kafka = await startOwnEngine('kafka');
    fleet = await startFleet({ kafkaBrokers: kafka.address });
    members = await Promise.all([fleet.start(), fleet.start()]);
  });
  afterAll(async () => {
    await fleet?.stop();
    await kafka?.remove();
  });

  const areReady = () =>
    eventually(async () => expect(await Promise.all(members.map(fleet.readiness))).toEqual([200, 200]));

  it(
    'costs no acknowledged event and no process, and has nothing sent twice',
    async () => {
      await areReady();
      await fleet.moreArrive();
      for (let kill = 0; kill < KILLS; kill += 1) {
        await kafka.kill();
        // What had been taken in goes on without Kafka, to its end.
        await eventually(async () => expect(await fleet.ledger.totals()).toMatchObject({ waiting: 0 }));
        await areReady();
        await kafka.start();
        await fleet.moreArrive();
      }

      const places = await fleet.everythingArrives();
      expect(await fleet.ledger.totals()).toMatchObject({ attempts: places });
      expect([...fleet.repeats()]).toEqual([]);
      expect(await Promise.all(members.map(fleet.end))).toEqual([0, 0]);
      if (process.env.FAULT_ROUNDS) console.log(`${KILLS} kills: ${places} places, none arrived again`);
    },
    KILLS * SECONDS_PER_KILL * 1_000,
  );
});
