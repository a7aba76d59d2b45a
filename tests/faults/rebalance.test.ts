import { type Fleet, startFleet } from './support/fleet.ts';

const JOINS = 4;

describe('webhooks processes that join and leave under load', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet();
  });
  afterAll(() => fleet?.stop());

  it('write one delivery for each event and endpoint, and send each once', async () => {
    let staying = await fleet.start();
    await fleet.moreArrive();
    for (let join = 0; join < JOINS; join += 1) {
      const joining = await fleet.start();
      await fleet.moreArrive();
      expect(await fleet.end(staying)).toBe(0);
      staying = joining;
      await fleet.moreArrive();
    }

    const places = await fleet.everythingArrives();
    expect(await fleet.ledger.totals()).toMatchObject({ places, deliveries: places, attempts: places });
    expect([...fleet.repeats()]).toEqual([]);
    expect(await fleet.end(staying)).toBe(0);
  }, 600_000);
});
