import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../support/index.ts';
import { countsOf } from './backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { pauseForLong } from './long-pause.ts';
import { largeEvent, takeIn } from './take-in.ts';

const FAILURES_TO_OPEN = 20;
/** As a process has them by default. */
const IN_FLIGHT = { total: 400, perTenant: 64, perEndpoint: 20 };
/** Six portions of what is taken in at once. */
const EVENTS = { count: 450, bytes: 100_000 };

describe('an endpoint that fails while a batch of its events comes in', () => {
  let world: DeliveryWorld;
  let database: Client;
  let failing: Receiver;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    await pauseForLong(database);
    failing = await startReceiver();
    failing.respondWith(() => ({ status: 500 }));
  });

  afterEach(async () => {
    await failing.close();
    await database.end();
    await world.stop();
  });

  it('is left alone after 20 failures in a row: beyond what was in flight no portion spends an attempt', async () => {
    const tenantId = uniqueTenantId();
    const { id } = await world.subscribe(tenantId, failing.url, ['customer.created']);
    const { engine } = await world.startEngine({ ...IN_FLIGHT, retryDelaysSeconds: [] });
    const events = Array.from({ length: EVENTS.count }, () => largeEvent(tenantId, EVENTS.bytes));
    await takeIn(world, engine, ...events);
    await eventually(async () => {
      const { rows } = await database.query('select retry_at from endpoints where id = $1', [id]);
      expect(rows).toEqual([{ retry_at: expect.any(Date) }]);
    });
    await engine.stop();

    // Twice what may be in flight: those that failed, and those that had begun when that was written.
    expect(failing.requests.length).toBeGreaterThanOrEqual(FAILURES_TO_OPEN);
    expect(failing.requests.length).toBeLessThanOrEqual(FAILURES_TO_OPEN + 2 * IN_FLIGHT.perEndpoint);
    const { failed, pending } = await countsOf(database, tenantId);
    expect(failed).toBe(failing.requests.length);
    expect(pending).toBe(EVENTS.count - failed);
    // All of the others can be claimed, once it is tried again.
    const { rowCount } = await database.query('select from delivery_queue where lease_token is null');
    expect(rowCount).toBe(pending);
  });
});
