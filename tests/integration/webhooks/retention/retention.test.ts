import { TOPICS } from '@frontdesk/contracts';
import { createMetrics } from '@frontdesk/service';
import { Client } from 'pg';
import { purgeDays } from '../../../../services/webhooks/src/retention/partition.repository.ts';
import { createRetentionWorker } from '../../../../services/webhooks/src/retention/retention.worker.ts';
import { eventually, logger, uniqueTenantId } from '../../../support/index.ts';
import { type DeliveryWorld, startDeliveryWorld } from '../delivery-world.ts';
import { appointmentEvent } from '../sample-events.ts';

const DAY_MS = 86_400_000;
/** Until Kafka closes a segment, it forgets nothing of it. */
const SEGMENT_DAYS = 7;

describe('what is past its time', () => {
  let world: DeliveryWorld;
  let client: Client;
  let tenantId: number;
  let endpointId: number;

  beforeEach(async () => {
    world = await startDeliveryWorld();
    client = new Client({ connectionString: world.url });
    await client.connect();
    tenantId = uniqueTenantId();
    endpointId = (await world.subscribe(tenantId, 'https://example.com')).id;
  });

  afterEach(async () => {
    await client.end();
    await world.stop();
  });

  /** What the retention worker makes true. */
  const withRetention = async (check: () => Promise<void>) => {
    const worker = createRetentionWorker({
      system: world.database.system,
      retentionDays: 30,
      metrics: createMetrics(),
      logger,
    });
    await worker.start?.();
    try {
      await eventually(check);
    } finally {
      await worker.stop?.();
    }
  };
  const subscribed = async () => (await world.subscribe(tenantId, 'https://example.com')).id;
  const forget = (keptDays: number) => purgeDays(world.database.system, keptDays);
  /** Whether an event that came in so long ago is known when it comes again. */
  const isKnownAfter = async (age: string, keptDays: number) => {
    const event = appointmentEvent(tenantId);
    expect(await world.receive(event)).toBe(1);
    await client.query(`update received_events set received_at = now() - $1::interval where event_id = $2`, [
      age,
      event.event_id,
    ]);
    await forget(keptDays);
    return (await world.receive(event)) === 0;
  };

  it('an event is known for a day longer than its partition lasts', async () => {
    expect(await isKnownAfter('30 days 23 hours', 30)).toBe(true);
    expect(await isKnownAfter('31 days 1 hour', 30)).toBe(false);
  });

  it('an event is known for as long as its topic may bring it again, however short the log is kept', async () => {
    const topicDays = TOPICS.appointments.retentionMs / DAY_MS + SEGMENT_DAYS;
    expect(await isKnownAfter(`${topicDays} days 23 hours`, 2)).toBe(true);
    expect(await isKnownAfter(`${topicDays + 1} days 1 hour`, 2)).toBe(false);
  });

  it('a deleted endpoint goes a day later, or with the last of its deliveries, and its replays with it', async () => {
    const [logged, bare, fresh, kept] = [
      endpointId,
      await subscribed(),
      await subscribed(),
      await subscribed(),
    ];
    expect(await world.receive(appointmentEvent(tenantId))).toBe(4);
    await client.query('delete from deliveries where endpoint_id <> $1', [logged]);
    for (const id of [logged, bare, fresh]) {
      await world.endpoints.delete(tenantId, id);
      await client.query(
        `insert into replays (tenant_id, endpoint_id, kind, status, position, last_id, total)
         values ($1, $2, 'failed', 'done', 0, 0, 0)`,
        [tenantId, id],
      );
    }
    await client.query(`update endpoints set deleted_at = deleted_at - interval '1 day' where id <> $1`, [
      fresh,
    ]);
    const endpointsLeft = (...ids: number[]) =>
      withRetention(async () => {
        const { rows } = await client.query(
          `select 'endpoint' as what, id::integer from endpoints
           union all select 'replay', endpoint_id::integer from replays order by what, id`,
        );
        expect(rows).toEqual([
          ...ids.map((id) => ({ what: 'endpoint', id })),
          ...ids.filter((id) => id !== kept).map((id) => ({ what: 'replay', id })),
        ]);
      });
    await endpointsLeft(logged, fresh, kept);
    await client.query('delete from deliveries');
    await endpointsLeft(fresh, kept);
  });

  it('a secret that signs no more is forgotten, one that still does is kept', async () => {
    const { id: other } = await world.subscribe(tenantId, 'https://example.com');
    await client.query(
      `update endpoints set previous_secret = 'whsec_old',
         previous_secret_until = now() + case id when $1 then -1 else 1 end * interval '1 hour'`,
      [endpointId],
    );
    await withRetention(async () => {
      const { rows } = await client.query('select id::integer, previous_secret from endpoints order by id');
      expect(rows).toEqual([
        { id: endpointId, previous_secret: null },
        { id: other, previous_secret: 'whsec_old' },
      ]);
    });
  });
});
