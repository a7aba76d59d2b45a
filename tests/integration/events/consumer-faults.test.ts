import type { DomainEvent } from '@frontdesk/contracts';
import { ensureTopics } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import { eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('a consumer that meets faults', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  const partitionMessages = (ids: number[], version: number, partition: number) =>
    ids.map((id) => ({ ...recordOf(customerEvent(id, version)), partition }));

  it('tries a failing partition on until it heals, losing nothing and keeping order, while others go on', async () => {
    await world.publisher();
    const metrics = createMetrics();
    const seen: DomainEvent[] = [];
    let isBroken = true;
    await world.consumer({
      topics: ['customers'],
      metrics,
      apply: async (events) => {
        if (isBroken && events.some((event) => event.aggregate_id === 1)) throw new Error('database away');
        seen.push(...events);
      },
    });
    await world.send('customers', partitionMessages([1, 1], 1, 0));
    const retries = async () =>
      (await metrics.registry.getSingleMetric('consumer_retries_total')?.get())?.values;
    await eventually(async () => expect((await retries())?.[0]?.value).toBeGreaterThanOrEqual(2));
    await world.send('customers', partitionMessages([2], 1, 1));
    await eventually(() => expect(versionsById(seen)).toEqual({ 2: [1] }));
    await world.send('customers', partitionMessages([1], 2, 0));
    isBroken = false;
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 1, 2], 2: [1] }));
  });

  it('does not give the rest of a partition before what failed', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    let failures = 0;
    await publisher.publish([1, 2, 3].map((version) => recordOf(customerEvent(1, version))));
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        failures += 1;
        if (failures <= 3) throw new Error('not yet');
        seen.push(...events);
      },
    });
    await eventually(() => expect(seen).toHaveLength(3));
    expect(versionsById(seen)).toEqual({ 1: [1, 2, 3] });
  });

  it('skips a type that it does not know', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await publisher.publish([
      recordOf({ ...customerEvent(1, 1), type: 'customer.renamed' }),
      recordOf(customerEvent(1, 2)),
    ]);
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [2] }));
  });

  it('starts before its topics exist, and reads them once they do', async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      isEarly: true,
      topics: ['customers', 'tenants'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    expect(consumer.ready()).toBe('kafka');
    await world.topicsExist();
    await eventually(() => expect(consumer.ready()).toBeNull());
    await world.send('customers', [recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));
  });

  it('joins again by itself after its topic was deleted and created again', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));
    await world.withAdmin((admin) => admin.deleteTopics({ topics: [world.kafka.nameOf('customers')] }));
    await eventually(async () => {
      await ensureTopics({ kafka: world.kafka });
      // What the topic still takes while it goes is gone with it.
      await publisher.publish([recordOf(customerEvent(1, 2))]);
      expect(versionsById(seen)[1]).toContain(2);
    });
  });

  it('takes a longer session where the broker does not allow a short one', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    await world.consumer({
      topics: ['customers'],
      kafka: world.client({ sessionTimeoutMs: 30 }),
      apply: async (events) => {
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(seen).toHaveLength(1));
  });
});
