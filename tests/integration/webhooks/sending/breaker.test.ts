import { Client } from 'pg';
import { eventually, type Receiver, startReceiver, uniqueTenantId } from '../../../support/index.ts';
import { countsOf } from '../backlog.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvents } from '../sample-events.ts';
import { largeEvent, takeIn } from '../take-in.ts';
import { pauseForLong } from './long-pause.ts';

const FAILURES_TO_OPEN = 20;
let world: DeliveryWorld;
let database: Client;
let failing: Receiver;

describe('an endpoint that keeps failing', () => {
  const EVENTS = 50;

  let healthy: Receiver;
  let tenantId: number;
  let endpointId: number;
  let neighbourId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    await pauseForLong(database);
    [failing, healthy] = await Promise.all([startReceiver(), startReceiver()]);
    [tenantId, neighbourId] = [uniqueTenantId(), uniqueTenantId()];
    endpointId = (await world.subscribe(tenantId, failing.url)).id;
    await world.subscribe(neighbourId, healthy.url);
    failing.respondWith(() => ({ status: 500 }));
  });

  afterEach(async () => {
    await Promise.all([failing.close(), healthy.close()]);
    await database.end();
    await world.stop();
  });

  const endpoint = async () => {
    const { rows } = await database.query(
      `select is_active, disabled_reason, consecutive_failures, failing_since is not null as is_failing, retry_at > now() as is_left_alone,
         failing_since > now() - interval '1 hour' as is_failing_anew, extract(epoch from retry_at - last_failure_at)::float8 as pause_seconds
       from endpoints where id = $1`,
      [endpointId],
    );
    return rows[0];
  };
  const set = (assignment: string) =>
    database.query(`update endpoints set ${assignment} where id = $1`, [endpointId]);
  const counts = () => countsOf(database, tenantId);
  const attemptsOfPending = async () => {
    const { rows } = await database.query(
      `select distinct d.attempt_count, q.attempt_count as queued from deliveries d
       join delivery_queue q on q.delivery_id = d.id where d.tenant_id = $1 and d.status = 'pending'`,
      [tenantId],
    );
    return rows;
  };
  /** The engine has gone round several times once all of this has come and gone. */
  const neighbourGoesOn = async (engine: { wake(): void }) => {
    const before = healthy.requests.length;
    for (let round = 1; round <= 5; round += 1) {
      await world.receive(...appointmentEvents(neighbourId, 5));
      engine.wake();
      await eventually(() => expect(healthy.requests).toHaveLength(before + 5 * round));
    }
  };
  const untilLeftAlone = () =>
    eventually(async () =>
      expect(await endpoint()).toMatchObject({
        is_active: true,
        consecutive_failures: FAILURES_TO_OPEN,
        is_left_alone: true,
      }),
    );

  it('is left alone after 20 failures in a row: pending deliveries spend no attempt, and other endpoints go on', async () => {
    await world.receive(...appointmentEvents(tenantId, EVENTS));
    const { engine } = await world.startEngine({ retryDelaysSeconds: [], perEndpoint: 1 });
    await untilLeftAlone();
    await world.receive(...appointmentEvents(tenantId, 5));
    await neighbourGoesOn(engine);

    expect(failing.requests).toHaveLength(FAILURES_TO_OPEN);
    expect(await counts()).toMatchObject({
      failed: FAILURES_TO_OPEN,
      pending: EVENTS + 5 - FAILURES_TO_OPEN,
    });
    expect(await attemptsOfPending()).toEqual([{ attempt_count: 0, queued: 0 }]);
  });

  it('is probed by a process with one delivery at a time, and left alone for longer after each that fails', async () => {
    await world.receive(...appointmentEvents(tenantId, EVENTS));
    const { engine } = await world.startEngine({ retryDelaysSeconds: [], perEndpoint: 1 });
    await untilLeftAlone();

    const hold = () => {
      const answer = Promise.withResolvers<{ status: number }>();
      failing.respondWith(() => answer.promise);
      return answer;
    };
    let probe = hold();
    for (const [nth, pauseSeconds] of [4, 8, 16].entries()) {
      await set('retry_at = now()');
      engine.wake();
      await eventually(() => expect(failing.requests).toHaveLength(FAILURES_TO_OPEN + nth + 1));
      await neighbourGoesOn(engine);
      expect(failing.requests).toHaveLength(FAILURES_TO_OPEN + nth + 1);

      const { resolve } = probe;
      // The next one may come before it is called for: then it waits for its answer.
      probe = hold();
      resolve({ status: 500 });
      await eventually(async () =>
        expect(await endpoint()).toMatchObject({
          consecutive_failures: FAILURES_TO_OPEN + nth + 1,
          pause_seconds: pauseSeconds,
        }),
      );
    }
  });

  it('gets everything that waits, at the first attempt, as soon as one probe succeeds', async () => {
    await world.receive(...appointmentEvents(tenantId, EVENTS));
    const { engine } = await world.startEngine({ retryDelaysSeconds: [], perEndpoint: 1 });
    await untilLeftAlone();

    failing.respondWith(() => ({ status: 200 }));
    await set('retry_at = now()');
    engine.wake();
    await eventually(async () =>
      expect(await counts()).toMatchObject({
        failed: FAILURES_TO_OPEN,
        delivered: EVENTS - FAILURES_TO_OPEN,
        pending: 0,
      }),
    );
    expect(failing.requests).toHaveLength(EVENTS);
    expect(await endpoint()).toMatchObject({
      consecutive_failures: 0,
      is_failing: false,
      is_left_alone: null,
    });
  });

  it('for 5 days in a row is disabled as failing, and its pending deliveries are cancelled', async () => {
    await world.receive(...appointmentEvents(tenantId, 10));
    await set(`failing_since = now() - interval '5 days 1 minute', consecutive_failures = 9`);
    await world.startEngine({ perEndpoint: 1 });
    await eventually(async () => {
      expect(await endpoint()).toMatchObject({ is_active: false, disabled_reason: 'failing' });
      expect(await counts()).toMatchObject({ cancelled: 10 });
    });
    expect(failing.requests).toHaveLength(1);
    expect(await world.receive(...appointmentEvents(tenantId, 1))).toBe(0);
  });

  it('for less than that stays, and so does one that succeeded in between', async () => {
    await world.receive(...appointmentEvents(tenantId, 3));
    await set(`failing_since = now() - interval '4 days 23 hours'`);
    failing.respondWith(() => ({ status: failing.requests.length === 2 ? 200 : 500 }));
    const { engine } = await world.startEngine({ retryDelaysSeconds: [], perEndpoint: 1 });
    await eventually(async () => expect(await counts()).toMatchObject({ delivered: 1, failed: 2 }));
    engine.wake();
    await eventually(async () =>
      expect(await endpoint()).toMatchObject({
        is_active: true,
        consecutive_failures: 1,
        is_failing_anew: true,
      }),
    );
  });

  it('with 410 once is disabled as gone, and its pending deliveries are cancelled', async () => {
    failing.respondWith(() => ({ status: 410 }));
    await world.receive(...appointmentEvents(tenantId, 10));
    await world.startEngine({ perEndpoint: 1 });
    await eventually(async () => {
      expect(await endpoint()).toMatchObject({ is_active: false, disabled_reason: 'gone' });
      expect(await counts()).toMatchObject({ failed: 1, cancelled: 9 });
    });
    expect(failing.requests).toHaveLength(1);
  });
});

describe('an endpoint that fails while a batch of its events comes in', () => {
  /** As a process has them by default. */
  const IN_FLIGHT = { total: 400, perTenant: 64, perEndpoint: 20 };
  /** Six portions of what is taken in at once. */
  const EVENTS = { count: 450, bytes: 100_000 };

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
