import type { DomainEvent } from '@frontdesk/contracts';
import { createMetrics } from '@frontdesk/service';
import { eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('a consumer whose events were deleted before it came to them', () => {
  let world: ReturnType<typeof kafkaWorld>;
  let seen: (DomainEvent | 'gap')[];
  let metrics: ReturnType<typeof createMetrics>;
  let isBroken: boolean;
  beforeEach(async () => {
    world = kafkaWorld();
    seen = [];
    metrics = createMetrics();
    isBroken = false;
    await world.publisher();
  });
  afterEach(() => world.stop());

  const start = (onGap = async () => void seen.push('gap')) =>
    world.consumer({
      topics: ['customers'],
      metrics,
      onGap,
      apply: async (events) => {
        if (isBroken) throw new Error('database away');
        seen.push(...events);
      },
    });
  const send = (versions: number[]) =>
    world.send(
      'customers',
      versions.map((version) => ({ ...recordOf(customerEvent(1, version)), partition: 0 })),
    );
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
  const losses = async () => {
    const told = (await metrics.registry.getSingleMetric('consumer_gaps_total')?.get())?.values ?? [];
    return told.reduce((sum, { value }) => sum + value, 0);
  };
  const order = () => seen.map((what) => (what === 'gap' ? 'gap' : what.aggregate_version));

  it('makes good for them once, before it applies what is left', async () => {
    const first = await start();
    await send([1, 2]);
    await eventually(() => expect(order()).toEqual([1, 2]));
    await first.stop();
    await send([3, 4, 5]);
    await deleteUpTo('4');
    const second = await start();
    await eventually(() => expect(order()).toEqual([1, 2, 'gap', 5]));
    expect(await losses()).toBe(1);
    await eventually(async () => expect(await committed()).toBe('5'));
    await second.stop();
    await start();
    await send([6]);
    await eventually(() => expect(order()).toEqual([1, 2, 'gap', 5, 6]));
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
    expect(await losses()).toBe(1);
  });

  it('notices while it is a member, after a fault that lasted too long', async () => {
    await start();
    await send([1]);
    await eventually(() => expect(order()).toEqual([1]));
    isBroken = true;
    await send([2, 3]);
    await eventually(async () => {
      const retries = await metrics.registry.getSingleMetric('consumer_retries_total')?.get();
      expect(retries?.values[0]?.value).toBeGreaterThan(0);
    });
    await deleteUpTo('3');
    await send([4]);
    // What was fetched before the deletion may still be tried.
    await eventually(() => expect(order()).toEqual([1, 'gap']));
    isBroken = false;
    await eventually(() => expect(order()).toEqual([1, 'gap', 4]));
    expect(await losses()).toBe(1);
  });

  it('of a new group begins after a gap where the first events are gone, which is no loss to tell of', async () => {
    await send([1, 2]);
    await deleteUpTo('1');
    await start();
    await eventually(() => expect(order()).toEqual(['gap', 2]));
    expect(await losses()).toBe(0);
    expect(versionsById(seen.filter((what) => what !== 'gap'))).toEqual({ 1: [2] });
  });
});
