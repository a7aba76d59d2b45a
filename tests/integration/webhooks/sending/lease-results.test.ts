import { Client } from 'pg';
import { migrations } from '../../../../services/webhooks/src/migrations/index.ts';
import type { AttemptOutcome } from '../../../../services/webhooks/src/receivers/attempt.rules.ts';
import { createLeaseSession } from '../../../../services/webhooks/src/sending/lease-session.worker.ts';
import {
  createTestDatabase,
  engines,
  eventually,
  logger,
  startRelay,
  uniqueTenantId,
} from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent } from '../sample-events.ts';
import { untilAnotherWaitsFor } from '../until-another-waits.ts';

describe('two results of one delivery', () => {
  const LEASE_MS = 60_000;
  const good: AttemptOutcome = {
    startedAt: new Date(),
    durationMs: 12,
    httpStatus: 200,
    errorClass: null,
    responseBody: 'ok',
    requestHeaders: {},
    responseHeaders: {},
  };
  const bad: AttemptOutcome = { ...good, httpStatus: 500, errorClass: 'http_status' };
  const delivered = { status: 'delivered', delayMs: null, disablesEndpoint: false } as const;
  const toRetry = { status: 'pending', delayMs: 30_000, disablesEndpoint: false } as const;

  let world: DeliveryWorld;
  let database: Client;
  let tenantId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    database = new Client({ connectionString: world.url });
    await database.connect();
    tenantId = uniqueTenantId();
    await world.subscribe(tenantId, 'http://127.0.0.1:9');
    await world.receive(appointmentEvent(tenantId));
  });

  afterEach(async () => {
    await database.end();
    await world.stop();
  });

  const claimOne = async () => {
    const { claims } = await world.queue(LEASE_MS).claim({
      fromTenantId: 1,
      limit: 10,
      owner: world.owner(),
      turns: new Map(),
      limits: {
        perTenant: 500,
        perEndpoint: 10,
        endpoints: new Map(),
        tenants: new Map(),
        full: new Set<number>(),
      },
    });
    const [claim] = claims;
    if (!claim) throw new Error('nothing claimed');
    return claim;
  };
  const claimTwice = async () => {
    const late = await claimOne();
    await database.query(`update delivery_queue set leased_until = now() - interval '1 second'`);
    await world.queue(LEASE_MS).freeLost();
    return { late, current: await claimOne() };
  };
  const queued = async () => (await database.query('select due_at from delivery_queue')).rowCount;

  it('that are written one after the other count by their leases: what comes late changes nothing', async () => {
    const { late, current } = await claimTwice();
    const queue = world.queue(LEASE_MS);
    expect(await queue.record([{ claim: late, outcome: good, verdict: delivered }])).toEqual([]);
    expect(await world.latest(tenantId)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });

    const result = { claim: current, outcome: good, verdict: delivered };
    expect(await queue.record([result])).toMatchObject([{ result, status: 'delivered' }]);
    expect(await world.latest(tenantId)).toMatchObject({ status: 'delivered', attempts: [{ attempt: 1 }] });
  });

  it.each(['the late one first', 'the late one last'])(
    'that are written at once count by their leases: only the holder’s success is kept, %s',
    async (order) => {
      const { late, current } = await claimTwice();
      const results = [
        { claim: late, outcome: bad, verdict: toRetry },
        { claim: current, outcome: good, verdict: delivered },
      ];
      const written = await world
        .queue(LEASE_MS)
        .record(order === 'the late one first' ? results : results.toReversed());

      expect(written).toEqual([{ result: results[1], status: 'delivered', latencyMs: expect.any(Number) }]);
      expect(await world.latest(tenantId)).toMatchObject({
        status: 'delivered',
        attempt_count: 1,
        attempts: [{ http_status: 200 }],
      });
      expect(await queued()).toBe(0);
    },
  );

  it.each(['the late one first', 'the late one last'])(
    'that are written at once leave it waiting in the queue where the holder failed, whatever a late one says, %s',
    async (order) => {
      const { late, current } = await claimTwice();
      const results = [
        { claim: late, outcome: good, verdict: delivered },
        { claim: current, outcome: bad, verdict: toRetry },
      ];
      const written = await world
        .queue(LEASE_MS)
        .record(order === 'the late one first' ? results : results.toReversed());

      expect(written).toEqual([{ result: results[1], status: 'pending', latencyMs: null }]);
      expect(await world.latest(tenantId)).toMatchObject({
        status: 'pending',
        attempt_count: 1,
        attempts: [{ http_status: 500 }],
      });
      expect(await queued()).toBe(1);
    },
  );

  it.each([
    ['is delivered', 'is_cancelled = true', good, delivered, []],
    ['failed and is cancelled', 'is_cancelled = true', bad, toRetry, []],
    ['failed', 'leased_until = leased_until', bad, toRetry, [{ lease_token: null, attempt_count: 1 }]],
  ])(
    'wait for a process that changes the delivery just then: one that %s',
    async (_name, change, outcome, verdict, left) => {
      const claim = await claimOne();
      await database.query('begin');
      await database.query(`update delivery_queue set ${change}`);
      const writing = world.queue(LEASE_MS).record([{ claim, outcome, verdict }]);
      try {
        await untilAnotherWaitsFor(database);
      } finally {
        await database.query('commit');
      }
      expect(await writing).toHaveLength(1);
      const { rows } = await database.query('select lease_token, attempt_count from delivery_queue');
      expect(rows).toEqual(left);
    },
  );
});

describe('the lease session', () => {
  /** Longer than any test: only what is cut ends a session. */
  const LONG_MS = 600_000;
  const SILENT_MS = 2_000;

  it('wakes every other process and not its own, and after a lost connection goes on as another owner', async () => {
    const { url, drop } = await createTestDatabase(migrations, 'webhooks');
    const wakes = { here: 0, there: 0 };
    const here = createLeaseSession({
      url,
      timeoutMs: LONG_MS,
      logger,
    });
    here.listen({ wake: () => (wakes.here += 1), endpointChanged: () => {} });
    const there = createLeaseSession({
      url,
      timeoutMs: LONG_MS,
      logger,
    });
    there.listen({ wake: () => (wakes.there += 1), endpointChanged: () => {} });
    const admin = new Client({ connectionString: engines().databaseUrl });
    await Promise.all([here.start(), there.start(), admin.connect()]);

    const owners = () => [here.owner(), there.owner()];
    const isHeard = async () => {
      const before = { ...wakes };
      await eventually(() => {
        here.announce();
        expect(wakes.there).toBeGreaterThan(before.there);
      });
      expect(wakes.here).toBe(before.here);
    };
    try {
      await eventually(() => expect(owners()).not.toContain(null));
      const before = owners();
      await isHeard();

      const database = new URL(url).pathname.slice(1);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
      await eventually(() => {
        expect(owners()).not.toContain(null);
        expect(new Set([...before, ...owners()]).size).toBe(4);
      });
      await isHeard();
    } finally {
      await Promise.all([here.stop(), there.stop(), admin.end()]);
      await drop();
    }
  });

  it('gives its number up once its connection has been silent for some seconds, without any other sign', async () => {
    const { url, drop } = await createTestDatabase(migrations, 'webhooks');
    const relay = await startRelay(url);
    const session = createLeaseSession({
      url: relay.url,
      timeoutMs: SILENT_MS,
      logger,
    });
    const other = new Client({ connectionString: url });
    await Promise.all([session.start(), other.connect()]);
    const held = () =>
      eventually(() => {
        expect(session.owner()).toEqual(expect.any(Number));
        return session.owner();
      });
    try {
      const before = await held();
      relay.hang();
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await eventually(() => expect(session.owner()).toBeNull());
      await relay.restore();
      expect(await held()).not.toBe(before);
    } finally {
      await Promise.all([session.stop(), other.end()]);
      await relay.close();
      await drop();
    }
  });
});
