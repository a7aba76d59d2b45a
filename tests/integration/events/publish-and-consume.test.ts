import { randomBytes } from 'node:crypto';
import { type DomainEvent, MAX_EVENT_BYTES, type Topic } from '@frontdesk/contracts';
import { createKafkaClient, createPublisher } from '@frontdesk/events';
import { RefusedRecordError } from '@frontdesk/service';
import { ConfigResourceTypes } from 'kafkajs';
import { eventually, logger } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('publishing and consuming', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  const collect = async (topics: Topic[] = ['customers']) => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics,
      apply: async (events) => {
        seen.push(...events);
      },
    });
    return { seen, consumer };
  };

  it('delivers every event of a record in the order published, over all partitions', async () => {
    const publisher = await world.publisher();
    const { seen } = await collect();
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const version of [1, 2, 3]) {
      await publisher.publish(ids.map((id) => recordOf(customerEvent(id, version))));
    }
    await eventually(() => expect(seen).toHaveLength(60));
    expect(versionsById(seen)).toEqual(Object.fromEntries(ids.map((id) => [id, [1, 2, 3]])));
  });

  it('hands over an event as it was published, with fields that this release does not know', async () => {
    const publisher = await world.publisher();
    const { seen } = await collect();
    const event = customerEvent(1, 1);
    const newer = { ...event, data: { ...event.data, loyalty_level: 'gold' } };
    await publisher.publish([{ ...recordOf(event), value: JSON.stringify(newer) }]);
    await eventually(() => expect(seen).toEqual([newer]));
  });

  it('applies what comes during its pause after a batch together', async () => {
    const publisher = await world.publisher();
    const batches: number[] = [];
    await world.consumer({
      topics: ['customers'],
      kafka: { ...world.client(), lingerMs: 3_000 },
      apply: async (events) => void batches.push(events.length),
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(batches).toEqual([1]));
    for (const version of [2, 3, 4]) await publisher.publish([recordOf(customerEvent(1, version))]);
    await eventually(() => expect(batches).toEqual([1, 3]));
  });

  it('reads a topic from its beginning, and a group that comes back only what is new', async () => {
    const publisher = await world.publisher();
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    const first = await collect();
    await eventually(() => expect(first.seen).toHaveLength(1));
    await first.consumer.stop();
    await publisher.publish([recordOf(customerEvent(1, 2))]);
    const second = await collect();
    await eventually(() => expect(versionsById(second.seen)).toEqual({ 1: [2] }));
  });

  it('carries an event of nearly 8 MiB', async () => {
    const publisher = await world.publisher();
    const { seen } = await collect();
    const event = customerEvent(1, 1);
    const name = 'n'.repeat(MAX_EVENT_BYTES - 4_096);
    await publisher.publish([
      recordOf({ ...event, data: { ...event.data, name } }),
      recordOf(customerEvent(1, 2)),
    ]);
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 2] }));
  });

  it('distinguishes a record of 9 MiB from a passing fault, and names it', async () => {
    const publisher = await world.publisher();
    const event = customerEvent(2, 1);
    const records = [
      recordOf(customerEvent(1, 1)),
      { ...recordOf(event), value: 'x'.repeat(9 * 1024 * 1024) },
    ];
    await expect(publisher.publish(records)).rejects.toMatchObject({ name: 'RefusedRecordError', index: 1 });
  });

  it('finds the one record of a batch that the broker itself refuses, and can go on without it', async () => {
    const publisher = await world.publisher();
    await world.withAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: ConfigResourceTypes.TOPIC,
            name: world.kafka.nameOf('customers'),
            configEntries: [{ name: 'max.message.bytes', value: '10000' }],
          },
        ],
      }),
    );
    const culprit = { ...recordOf(customerEvent(3, 1)), value: randomBytes(20_000).toString('hex') };
    // Brokers apply this bound some time after they have confirmed it. What they take until then nobody can read.
    await eventually(() => expect(publisher.publish([culprit])).rejects.toBeInstanceOf(RefusedRecordError));
    const { seen } = await collect(['customers', 'appointments']);
    // Beside the culprit, two records of one partition that the broker does take at the first try.
    const elsewhere = [1, 2].map((version) => ({
      ...recordOf(customerEvent(9, version)),
      topic: 'appointments' as const,
    }));
    const records = [...elsewhere, recordOf(customerEvent(1, 1)), culprit, recordOf(customerEvent(4, 1))];
    const refusal = await publisher.publish(records).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RefusedRecordError);
    expect(refusal).toMatchObject({ index: 3, cause: { type: 'MESSAGE_TOO_LARGE' } });
    await publisher.publish(records.toSpliced(3, 1));
    await eventually(() => {
      const versions = Object.entries(versionsById(seen)).map(([id, all]) => [id, [...new Set(all)]]);
      expect(Object.fromEntries(versions)).toEqual({ 1: [1], 4: [1], 9: [1, 2] });
    });
  });

  it('publishes records that are too many for one batch of the broker', async () => {
    const publisher = await world.publisher();
    const { seen } = await collect();
    const event = customerEvent(1, 1);
    const large = { ...event, data: { ...event.data, name: 'n'.repeat(3 * 1024 * 1024) } };
    await publisher.publish(
      [1, 2, 3, 4].map((version) => recordOf({ ...large, aggregate_version: version })),
    );
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 2, 3, 4] }));
  });

  it('is not ready without Kafka, and rejects instead of waiting for it', async () => {
    const nowhere = createKafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'test', logger });
    const publisher = createPublisher({ kafka: nowhere, logger });
    await publisher.start();
    expect(publisher.ready()).toBe('kafka');
    await expect(publisher.publish([recordOf(customerEvent(1, 1))])).rejects.not.toBeInstanceOf(
      RefusedRecordError,
    );
    await publisher.stop();
  });

  it('is ready once Kafka is reached', async () => {
    const publisher = await world.publisher();
    await eventually(() => expect(publisher.ready()).toBeNull());
  });
});
