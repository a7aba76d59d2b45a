import { createOutboxRelay, type Database, systemSql } from '@frontdesk/database';
import {
  type Component,
  createMetrics,
  type EventPublisher,
  type OutboundRecord,
  RefusedRecordError,
} from '@frontdesk/service';
import { eventually, IN_OWN_DATABASE, PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const countUnpublished = systemSql<{ count: number }>(
  'test_unpublished',
  'select count(*) as count from outbox where published_at is null',
);

const unpublishFrom = systemSql<never, { version: number }>(
  'test_unpublish',
  `update outbox set published_at = null
   where published_at is not null and (envelope ->> 'aggregate_version')::bigint >= $version`,
);

const loseEvents = systemSql<never>('test_lose_events', 'truncate outbox restart identity');
const endRelays = systemSql<never>(
  'test_end_relays',
  `select pg_terminate_backend(pid) from pg_locks
   where locktype = 'advisory' and ${IN_OWN_DATABASE}`,
);

let world: Awaited<ReturnType<typeof openDatabase>>;
let database: Database;
const relays: Component[] = [];

beforeEach(async () => {
  world = await openDatabase();
  database = world.database;
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop?.();
  await world.close();
});

async function startRelay(
  publish: EventPublisher['publish'],
  metrics = createMetrics(),
  lingerMs = 0,
): Promise<void> {
  const relay = createOutboxRelay({
    database,
    publisher: { publish },
    logger,
    metrics,
    lingerMs,
    lastMarkTimeoutMs: PATIENT_BOUNDS.query_timeout,
  });
  relays.push(relay);
  await relay.start?.();
}

const tenant = (id: number) => ({
  id,
  name: 'Salon',
  plan: 'pro' as const,
  status: 'active' as const,
  timezone: 'Europe/Berlin',
  country: 'DE',
  currency: 'EUR',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
});

const emit = (id: number, version: number) =>
  database
    .forTenant(id)
    .transaction(async (tx) => tx.emit('tenant.updated', { aggregateId: id, version, data: tenant(id) }));

const versionsOf = (records: OutboundRecord[]) =>
  records.map(({ value }) => (JSON.parse(value) as { aggregate_version: number }).aggregate_version);

describe('the outbox', () => {
  it('publishes in order, in the one envelope, keyed by tenant and aggregate', async () => {
    const published: OutboundRecord[] = [];
    await startRelay(async (records) => void published.push(...records));
    for (const version of [1, 2, 3]) await emit(5, version);

    await eventually(() => expect(versionsOf(published)).toEqual([1, 2, 3]));
    expect(published[0]).toMatchObject({ topic: 'tenants', key: '5:5' });
    expect(JSON.parse(published[0]?.value ?? '')).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'tenant.updated',
      schema_version: 1,
      tenant_id: 5,
      aggregate_id: 5,
      aggregate_version: 1,
      occurred_at: expect.stringMatching(/Z$/),
      data: tenant(5),
    });
  });

  it('sends what is written during its pause after a batch together', async () => {
    const batches: number[][] = [];
    await startRelay(async (records) => void batches.push(versionsOf(records)), createMetrics(), 3_000);
    await emit(5, 1);
    await eventually(() => expect(batches).toEqual([[1]]));
    await Promise.all([emit(5, 2), emit(6, 3), emit(7, 4)]);
    await eventually(() =>
      expect(batches.map((batch) => batch.toSorted((a, b) => a - b))).toEqual([[1], [2, 3, 4]]),
    );
  });

  it('publishes again what an operator marks as not published', async () => {
    const published: OutboundRecord[] = [];
    await startRelay(async (records) => void published.push(...records));
    for (const version of [1, 2, 3]) await emit(5, version);
    await eventually(async () => expect((await database.system.one(countUnpublished)).count).toBe(0));
    await database.system.run(unpublishFrom, { version: 2 });
    await eventually(() => expect(versionsOf(published)).toEqual([1, 2, 3, 2, 3]));
  });

  it('marks what is published also where nothing comes after it', async () => {
    await startRelay(async () => {});
    await emit(5, 1);
    await eventually(async () => expect(await database.system.one(countUnpublished)).toEqual({ count: 0 }));
  });

  it('says how many events wait and for how long, and whether its relay is the one that publishes', async () => {
    const metrics = createMetrics();
    const kafka = Promise.withResolvers<void>();
    await emit(5, 1);
    await emit(5, 2);
    await startRelay(() => kafka.promise, metrics);
    const reported = async (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.registry.metrics())?.[1]);
    // A gauge whose reading takes long is NaN this time.
    await eventually(async () => {
      expect(await reported('outbox_relay_active')).toBe(1);
      expect(await reported('outbox_waiting')).toBe(2);
      expect(await reported('outbox_oldest_waiting_seconds')).toBeGreaterThan(0);
    });
    kafka.resolve();
    await eventually(async () => {
      expect(await reported('outbox_waiting')).toBe(0);
      expect(await reported('outbox_oldest_waiting_seconds')).toBe(0);
    });
  });

  it('publishes each event once, and leaves nothing to the relay that comes after a stop', async () => {
    const published: OutboundRecord[] = [];
    await startRelay(async (records) => void published.push(...records));
    for (let version = 1; version <= 20; version += 1) await emit(5, version);
    await eventually(() => expect(published.length).toBeGreaterThanOrEqual(20));
    await relays.shift()?.stop?.();
    expect(await database.system.one(countUnpublished)).toEqual({ count: 0 });
    await startRelay(async (records) => void published.push(...records));
    await emit(5, 21);
    await eventually(() => expect(versionsOf(published).at(-1)).toBe(21));
    expect(versionsOf(published)).toEqual(Array.from({ length: 21 }, (_, place) => place + 1));
  });

  it('forgets with its connection what it has published: another may find other events under the same numbers', async () => {
    const published: OutboundRecord[] = [];
    const sent = Promise.withResolvers<void>();
    await startRelay(async (records) => {
      published.push(...records);
      // As a database does that comes back from a copy made before.
      if (published.length === 1) {
        await database.system.run(loseEvents);
        await database.system.run(endRelays);
      }
      sent.resolve();
    });
    await emit(5, 1);
    await sent.promise;
    await emit(6, 1);
    await eventually(() => expect(published.map(({ key }) => key)).toEqual(['5:5', '6:6']));
  });

  it('holds nothing of a transaction that rolled back', async () => {
    const published: OutboundRecord[] = [];
    await startRelay(async (records) => void published.push(...records));
    const rolledBack = database.forTenant(5).transaction(async (tx) => {
      tx.emit('tenant.updated', { aggregateId: 5, version: 1, data: tenant(5) });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await emit(5, 2);
    await eventually(() => expect(versionsOf(published)).toEqual([2]));
  });

  it('keeps what the broker could not take and sends it again, in order', async () => {
    const published: OutboundRecord[] = [];
    let failures = 3;
    await startRelay(async (records) => {
      failures -= 1;
      if (failures >= 0) throw new Error('broker away');
      published.push(...records);
    });
    await emit(5, 1);
    await emit(5, 2);
    await eventually(() => expect(versionsOf(published)).toEqual([1, 2]));
  });

  it('parks a record that the broker refuses for good, and goes on with the rest', async () => {
    const published: OutboundRecord[] = [];
    await emit(6, 1);
    await emit(7, 1);
    await emit(8, 1);
    await startRelay(async (records) => {
      const refused = records.findIndex(({ key }) => key === '7:7');
      if (refused >= 0) throw new RefusedRecordError(refused, new Error('too large'));
      published.push(...records);
    });
    await eventually(() => expect(published.map(({ key }) => key)).toEqual(['6:6', '8:8']));
  });

  it('passes to another relay when the active one alone can’t reach the broker', async () => {
    const publishedBy: string[] = [];
    await startRelay(() => Promise.reject(new Error('no route to the broker')));
    await emit(5, 1);
    await startRelay(async () => void publishedBy.push('second'));
    await eventually(() => expect(publishedBy).toEqual(['second']));
  });

  it('is published by one relay at a time, and by the next one when that stops', async () => {
    const publishedBy: string[] = [];
    await startRelay(async () => void publishedBy.push('first'));
    await emit(5, 1);
    await eventually(() => expect(publishedBy).toEqual(['first']));
    await startRelay(async () => void publishedBy.push('second'));
    await emit(5, 2);
    await eventually(() => expect(publishedBy).toEqual(['first', 'first']));

    await relays.shift()?.stop?.();
    await emit(5, 3);
    await eventually(() => expect(publishedBy).toEqual(['first', 'first', 'second']));
  });
});
