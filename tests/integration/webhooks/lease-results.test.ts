import { Client } from 'pg';
import type { AttemptOutcome } from '../../../services/webhooks/src/domain/attempt.ts';
import { uniqueTenantId } from '../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from './delivery-world.ts';
import { appointmentEvent } from './sample-events.ts';
import { untilAnotherWaitsFor } from './until-another-waits.ts';

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

describe('two results of one delivery', () => {
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
      ...{ afterEndpointId: 0, limit: 10, owner: world.owner() },
      limits: { perEndpoint: 10, endpoints: new Map(), tenants: new Map() },
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
        ...{ status: 'delivered', attempt_count: 1, attempts: [{ http_status: 200 }] },
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
        ...{ status: 'pending', attempt_count: 1, attempts: [{ http_status: 500 }] },
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
