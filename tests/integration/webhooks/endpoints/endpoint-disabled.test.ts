import { type DomainEvent, ENDPOINT_SCOPES } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { createConsumer } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import {
  collectDeadLetters,
  eventually,
  logger,
  progressBox,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { hooksOf } from '../hooks.ts';
import { appointmentEvent, appointmentEvents } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';

const failForDays = systemSql<never, { id: number }>(
  'test_fail_for_days',
  `update endpoints set failing_since = now() - interval '6 days', consecutive_failures = 9 where id = $id`,
);

const changes = systemSql<{ action: string }, { tenantId: number }>(
  'test_operator_changes',
  'select actor, action, subject, outcome from operator_changes where tenant_id = $tenantId',
);

describe('endpoint.disabled', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  let tenantId: number;
  let hooks: ReturnType<typeof hooksOf>;
  let consumer: ReturnType<typeof createConsumer>;
  const published: DomainEvent[] = [];

  beforeAll(async () => {
    world = await startWebhooks();
    consumer = createConsumer({
      kafka: world.kafka,
      group: 'observer',
      topics: ['endpoints'],
      deadLetters: collectDeadLetters(),
      progress: progressBox(),
      apply: async (events) => void published.push(...events),
      logger,
      metrics: createMetrics(),
    });
    await consumer.start();
  });

  afterAll(async () => {
    await consumer.stop();
    await world.stop();
  });

  beforeEach(async () => {
    receiver = await startReceiver();
    tenantId = uniqueTenantId();
    hooks = hooksOf(world, tenantId);
  });

  afterEach(() => receiver.close());

  /** Each once: from Kafka one may come again. */
  const disabledEvents = () => [
    ...new Map(
      published
        .filter((event) => event.tenant_id === tenantId)
        .map((event) => [event.event_id, event] as const),
    ).values(),
  ];
  const versions = () => disabledEvents().map((event) => event.aggregate_version);
  const eventuallyDisabled = (count: number) =>
    eventually(() => {
      expect(disabledEvents()).toHaveLength(count);
      return disabledEvents();
    });

  it('is published once when a receiver answers 410, with the record and without its secret', async () => {
    const { id, url } = await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 410 }));
    await world.publish(...appointmentEvents(tenantId, 10));
    const [event] = await eventuallyDisabled(1);
    expect(event).toEqual({
      event_id: expect.any(String),
      type: 'endpoint.disabled',
      schema_version: 1,
      tenant_id: tenantId,
      aggregate_id: id,
      aggregate_version: 2,
      occurred_at: expect.any(String),
      data: {
        id,
        url,
        events: ['appointment.created'],
        scopes: [...ENDPOINT_SCOPES],
        is_active: false,
        created_at: expect.any(String),
        disabled_reason: 'gone',
      },
    });
    expect(await hooks.show(id)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
    // For the audit log, and for the members, who are told.
    const recorded = await world.database.system.many(changes, { tenantId });
    expect(recorded.filter(({ action }) => action === 'endpoint_disabled')).toEqual([
      { actor: null, action: 'endpoint_disabled', subject: url, outcome: 'done' },
    ]);
    await eventually(async () => {
      const statuses = new Set((await hooks.log()).map(({ status }) => status));
      expect(statuses).not.toContain('pending');
    });
    // A second one of the first time would come before the one of this time: they have the same key.
    await hooks.send('PATCH', `/${id}`, { is_active: true });
    await world.publish(appointmentEvent(tenantId));
    await eventually(() => expect(versions()).toEqual([2, 4]));
  });

  it('is published when one has failed for days, and again when that happens after it was resumed', async () => {
    const { id } = await hooks.create(receiver);
    receiver.respondWith(() => ({ status: 500 }));
    for (const round of [1, 2]) {
      await world.database.system.run(failForDays, { id });
      await world.publish(appointmentEvent(tenantId));
      const events = await eventuallyDisabled(round);
      expect(events.at(-1)).toMatchObject({ aggregate_id: id, data: { disabled_reason: 'failing' } });
      await hooks.send('PATCH', `/${id}`, { is_active: true });
    }
    expect(versions()).toEqual([2, 4]);
  });

  it('is no webhook event: an endpoint of the same tenant seesTranscripts nothing of it', async () => {
    const other = await startReceiver();
    await hooks.create(receiver);
    await hooks.create(other, ['appointment.created', 'customer.created']);
    receiver.respondWith(() => ({ status: 410 }));
    await world.publish(appointmentEvent(tenantId));
    await eventuallyDisabled(1);
    await world.publish(appointmentEvent(tenantId));
    await eventually(() => expect(other.requests).toHaveLength(2));
    expect(other.requests.map(({ rawBody }) => JSON.parse(rawBody).event)).toEqual([
      'appointment.created',
      'appointment.created',
    ]);
    await other.close();
  });
});
