import type { DomainEvent } from '@frontdesk/contracts';
import { ensureTopics } from '@frontdesk/events';
import { createMetrics } from '@frontdesk/service';
import { Kafka, logLevel } from 'kafkajs';
import { engines, eventually, progressBox } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('a consumer whose events were deleted before it came to them', () => {
  let world: ReturnType<typeof kafkaWorld>;
  let seen: (DomainEvent | 'gap')[];
  let metrics: ReturnType<typeof createMetrics>;
  let progress: ReturnType<typeof progressBox>;
  let isBroken: boolean;
  beforeEach(async () => {
    world = kafkaWorld();
    seen = [];
    metrics = createMetrics();
    progress = progressBox();
    isBroken = false;
    await world.publisher();
  });
  afterEach(() => world.stop());

  const start = (onGap = async () => void seen.push('gap')) =>
    world.consumer({
      topics: ['customers'],
      metrics,
      progress,
      onGap,
      apply: async (events) => {
        if (isBroken) throw new Error('database away');
        seen.push(...events);
      },
    });
  const send = (versions: number[]) =>
    world.send(
      'customers',
      versions.map((version) => {
        // Each at a time of its own.
        const event = { ...customerEvent(1, version), occurred_at: occurred(version).toISOString() };
        return { ...recordOf(event), partition: 0 };
      }),
    );
  const occurred = (version: number) => new Date(Date.UTC(2026, 2, version));
  /** As retention would. */
  const deleteUpTo = (offset: string) =>
    eventually(() =>
      world.withAdmin(async (admin) => {
        const topic = world.kafka.nameOf('customers');
        // What it deletes from, kafkajs has to have met before.
        await admin.fetchTopicOffsets(topic);
        await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] });
      }),
    );
  const committed = () =>
    world.withAdmin(async (admin) => {
      const [topic] = await admin.fetchOffsets({
        groupId: world.kafka.nameOf('readers'),
        topics: [world.kafka.nameOf('customers')],
      });
      return topic?.partitions.find(({ partition }) => partition === 0)?.offset;
    });
  const total = async (name: string) => {
    const samples = (await metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
    return samples.reduce((sum, { value }) => sum + value, 0);
  };
  /** How many gaps were counted, and how many events in them. */
  const losses = async () => [
    await total('consumer_gaps_total'),
    await total('consumer_missed_events_total'),
  ];
  const order = () => seen.map((what) => (what === 'gap' ? 'gap' : what.aggregate_version));
  const at = { partition: 0, isRefilled: true };

  it('records the gap once and refills, before it applies the events that are left', async () => {
    const first = await start();
    await send([1, 2]);
    await eventually(() => expect(order()).toEqual([1, 2]));
    await first.stop();
    await send([3, 4, 5]);
    await deleteUpTo('4');
    const second = await start();
    await eventually(() => expect(order()).toEqual([1, 2, 'gap', 5]));
    expect(await losses()).toEqual([1, 2]);
    const topic = world.kafka.nameOf('customers');
    expect(progress.gaps).toEqual([
      { ...at, topic, fromOffset: '2', toOffset: '4', since: occurred(2), until: occurred(5) },
    ]);
    await eventually(async () => expect(await committed()).toBe('5'));
    await second.stop();
    await start();
    await send([6]);
    await eventually(() => expect(order()).toEqual([1, 2, 'gap', 5, 6]));
    expect(await losses()).toEqual([1, 2]);
  });

  it.each([2, 0])('knows that it had applied %d events where Kafka has forgotten that too', async (count) => {
    const before = [1, 2].slice(0, count);
    const first = await start();
    if (count > 0) await send(before);
    await eventually(() => expect(order()).toEqual(before));
    await eventually(async () => expect((await progress.load('readers')).length).toBeGreaterThan(0));
    await first.stop();
    await send([3, 4]);
    await deleteUpTo(String(count + 1));
    // A group that has committed nothing ends with its last member.
    if (count > 0)
      await eventually(() => world.withAdmin((admin) => admin.deleteGroups([world.kafka.nameOf('readers')])));
    expect(await committed()).toBe('-1');
    await Promise.all([start(), start()]);
    await eventually(() => expect(order()).toEqual([...before, 'gap', 4]));
    expect(await losses()).toEqual([1, 1]);
    expect(progress.gaps).toMatchObject([{ fromOffset: String(count), toOffset: String(count + 1) }]);
  });

  it('applies all again, and misses nothing, where Kafka has forgotten that alone', async () => {
    const first = await start();
    await send([1, 2]);
    await eventually(() => expect(order()).toEqual([1, 2]));
    await first.stop();
    await eventually(() => world.withAdmin((admin) => admin.deleteGroups([world.kafka.nameOf('readers')])));
    await start();
    await eventually(() => expect(order()).toEqual([1, 2, 1, 2]));
    expect(await losses()).toEqual([0, 0]);
  });

  it('notices also where nothing is left, and tries until they are made good for', async () => {
    const first = await start();
    await send([1]);
    await eventually(() => expect(order()).toEqual([1]));
    await first.stop();
    await send([2, 3]);
    await deleteUpTo('3');
    let failures = 0;
    const second = await start(async () => {
      failures += 1;
      if (failures < 3) throw new Error('database away');
      seen.push('gap');
    });
    await eventually(() => expect(order()).toEqual([1, 'gap']));
    await eventually(async () => expect(await committed()).toBe('3'));
    await second.stop();
    const third = await start();
    await send([4]);
    await eventually(() => expect(order()).toEqual([1, 'gap', 4]));
    await third.stop();
    expect(await losses()).toEqual([1, 2]);
    expect(progress.gaps).toMatchObject([{ fromOffset: '1', toOffset: '3', since: occurred(1) }]);
  });

  it('notices that its topic was deleted and created again, with fewer events', async () => {
    const first = await start();
    await send([1, 2, 3]);
    await eventually(() => expect(order()).toEqual([1, 2, 3]));
    await first.stop();
    const topic = world.kafka.nameOf('customers');
    await world.withAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
    await eventually(() => ensureTopics({ kafka: world.kafka }));
    // Until the broker has let go of the old one, that still takes events.
    await eventually(async () => {
      const offsets = await world.withAdmin((admin) => admin.fetchTopicOffsets(topic));
      expect(offsets.every(({ high }) => high === '0')).toBe(true);
    });
    const second = await start();
    await send([4]);
    await eventually(() => expect(order()).toEqual([1, 2, 3, 'gap', 4]));
    await second.stop();
    // How many the old one still held nobody knows.
    expect(await losses()).toEqual([1, 0]);
    expect(progress.gaps).toMatchObject([{ fromOffset: '3', toOffset: '0' }]);
  });

  it.each([1, 0])(
    'notices while it is a member, after a fault that lasted too long and %d event',
    async (applied) => {
      const before = applied === 1 ? [1] : [];
      isBroken = applied === 0;
      await start();
      await send([1]);
      await eventually(() => expect(order()).toEqual(before));
      isBroken = true;
      await send([2, 3]);
      await eventually(async () => expect(await total('consumer_retries_total')).toBeGreaterThan(0));
      await deleteUpTo('3');
      await send([4]);
      // What was fetched before the deletion may still be tried.
      await eventually(() => expect(order()).toEqual([...before, 'gap']));
      isBroken = false;
      await eventually(() => expect(order()).toEqual([...before, 'gap', 4]));
      expect(await losses()).toEqual([1, 3 - applied]);
    },
  );

  it('of a new group begins after deleted events, which is no gap', async () => {
    await send([1, 2]);
    await deleteUpTo('1');
    await start();
    await eventually(() => expect(order()).toEqual(['gap', 2]));
    expect(await losses()).toEqual([0, 0]);
    expect(progress.gaps).toEqual([]);
    expect(versionsById(seen.filter((what) => what !== 'gap'))).toEqual({ 1: [2] });
  });

  it('takes the offsets that transactions leave out for no gap', async () => {
    const topic = world.kafka.nameOf('customers');
    const kafka = new Kafka({ brokers: engines().kafkaBrokers.split(','), logLevel: logLevel.NOTHING });
    const producer = kafka.producer({ transactionalId: topic, maxInFlightRequests: 1, idempotent: true });
    await producer.connect();
    const sendInTransaction = async (version: number) => {
      const transaction = await producer.transaction();
      const messages = [{ ...recordOf(customerEvent(1, version)), partition: 0 }];
      await transaction.send({ topic, messages });
      await transaction.commit();
    };
    try {
      await start();
      await sendInTransaction(1);
      await eventually(() => expect(order()).toEqual([1]));
      await sendInTransaction(2);
      await eventually(() => expect(order()).toEqual([1, 2]));
    } finally {
      await producer.disconnect();
    }
    expect(await losses()).toEqual([0, 0]);
  });
});
