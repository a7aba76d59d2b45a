import type { DomainEvent } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { withAdmin } from '@frontdesk/events';
import { ADMIN, operatorBy } from '../../../e2e/support/operator.ts';
import {
  eventually,
  identityKeys,
  type Receiver,
  recordOf,
  startReceiver,
  uniqueTenantId,
} from '../../../support/index.ts';
import { appointmentEvent } from '../sample-events.ts';
import { type RunningWebhooks, startWebhooks } from '../webhooks-world.ts';

const appliedUpTo = systemSql<{ offset: number; occurred_at: Date }, { topic: string }>(
  'test_applied_up_to',
  'select "offset", occurred_at from consumer_positions where topic = $topic and "partition" = 0',
);

describe('events that Kafka deleted while webhooks was away', () => {
  let world: RunningWebhooks;
  let receiver: Receiver;
  const others: RunningWebhooks[] = [];
  const tenant = uniqueTenantId();
  beforeAll(async () => {
    [world, receiver] = await Promise.all([startWebhooks(), startReceiver()]);
  });
  afterAll(async () => {
    await Promise.all(others.map((one) => one.stop()));
    await world.stop();
    await receiver.close();
  });

  const topic = () => world.kafka.nameOf('appointments');
  const send = async (event: DomainEvent) => {
    const producer = world.kafka.producer();
    await producer.connect();
    try {
      await producer.send({ topic: topic(), messages: [{ ...recordOf(event), partition: 0 }] });
    } finally {
      await producer.disconnect();
    }
  };
  /** As retention would. */
  const deleteUpTo = (offset: string) =>
    eventually(() =>
      withAdmin(world.kafka, async (admin) => {
        // What it deletes from, kafkajs has to have met before.
        await admin.fetchTopicOffsets(topic());
        await admin.deleteTopicRecords({ topic: topic(), partitions: [{ partition: 0, offset }] });
      }),
    );
  const received = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
  const counted = async ({ internalUrl }: RunningWebhooks) => {
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
    return [...metrics.matchAll(/^consumer_gaps_total\{.*\} (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  };

  it('are listed and counted once, and shown to the tenants concerned', async () => {
    const endpoint = { url: receiver.url, events: ['appointment.booked'] };
    await world.asOperator(tenant)('POST', '', endpoint);
    const booked = (): DomainEvent => ({
      ...appointmentEvent(tenant),
      occurred_at: new Date().toISOString(),
    });
    const [first, lost, last] = [booked(), booked(), booked()];
    await eventually(() => send(first));
    await eventually(() => expect(received()).toEqual([`evt_${first.event_id}`]));
    // At a stop it may come too late.
    await eventually(async () =>
      expect(await world.database.system.many(appliedUpTo, { topic: topic() })).toEqual([
        { offset: 1, occurred_at: new Date(first.occurred_at) },
      ]),
    );
    await world.stopService();
    await send(lost);
    await deleteUpTo('2');
    await send(last);

    const over = { databaseUrl: world.databaseUrl, kafkaPrefix: world.kafkaPrefix };
    others.push(...(await Promise.all([startWebhooks({}, over), startWebhooks({}, over)])));
    const [again] = others as [RunningWebhooks, RunningWebhooks];
    await eventually(() =>
      expect(received()).toEqual([first, last].map(({ event_id }) => `evt_${event_id}`)),
    );

    const { stdout, stderr } = await operatorBy(ADMIN, {
      PATH: process.env.PATH,
      OPERATOR_KEY_FILE: identityKeys().privateKeyFile('operator'),
      WEBHOOKS_INTERNAL_URL: again.internalUrl,
    }).run(['event-gap', 'list', '--service', 'webhooks', '--json']);
    expect(stderr).toBe('');
    const time = { since: first.occurred_at, until: last.occurred_at };
    expect(JSON.parse(stdout)).toEqual([
      {
        service: 'webhooks',
        id: expect.any(Number),
        consumer: 'webhooks',
        topic: topic(),
        partition: 0,
        from_offset: 1,
        to_offset: 2,
        missing: 1,
        is_refilled: false,
        ...time,
        found_at: expect.any(String),
      },
    ]);
    const counts = await Promise.all(others.map(counted));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);

    const gapsOf = async (id: number) => (await again.asOperator(id)('GET', '/gaps')).body.data;
    expect(await gapsOf(tenant)).toEqual([{ records: 'appointments', ...time }]);
    expect(await gapsOf(uniqueTenantId())).toEqual([]);
    const refused = await again.request({ path: '/internal/event-gaps', role: 'admin', tenantId: tenant });
    expect(refused.status).toBe(403);
  });
});
