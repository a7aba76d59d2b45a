import type { DomainEvent } from '@frontdesk/contracts';
import type { KafkaClient } from '@frontdesk/events';
import { eventually } from '../../support/index.ts';
import { customerEvent, kafkaWorld, recordOf, versionsById } from './kafka-world.ts';

describe('members of a consumer group', () => {
  let world: ReturnType<typeof kafkaWorld>;
  beforeEach(() => {
    world = kafkaWorld();
  });
  afterEach(() => world.stop());

  const ids = Array.from({ length: 30 }, (_, index) => index + 1);

  const readers = () =>
    world.withAdmin(async (admin) => {
      const { groups } = await admin.describeGroups([world.kafka.nameOf('readers')]);
      return groups[0];
    });
  const member = async () => {
    const seen: DomainEvent[] = [];
    const consumer = await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        seen.push(...events);
      },
    });
    return { seen, consumer };
  };

  it('share the partitions, and those of a stopped member move without loss', async () => {
    const publisher = await world.publisher();
    const first = await member();
    await eventually(() => expect(first.consumer.ready()).toBeNull());
    const second = await member();
    let version = 0;
    const publishRound = async () => {
      await publisher.publish(ids.map((id) => recordOf(customerEvent(id, version + 1))));
      version += 1;
    };
    await eventually(async () => {
      await publishRound();
      expect(first.seen.length).toBeGreaterThan(0);
      expect(second.seen.length).toBeGreaterThan(0);
    });
    await first.consumer.stop();
    const seenByFirst = first.seen.length;
    await publishRound();
    await eventually(() => {
      const all = versionsById([...first.seen, ...second.seen]);
      for (const id of ids) expect(new Set(all[id]).size).toBe(version);
    });
    expect(first.seen).toHaveLength(seenByFirst);
  });

  it('get what one fetch brings of several partitions at once, and each part alone where that fails', async () => {
    await world.publisher();
    const messages = [0, 1].map((partition) => {
      const { key, value } = recordOf(customerEvent(partition, 1));
      return { key, value, partition };
    });
    await world.send('customers', messages);
    const calls: number[][] = [];
    await world.consumer({
      topics: ['customers'],
      apply: async (events) => {
        calls.push(events.map((event) => event.aggregate_id).sort((a, b) => a - b));
        if (events.length > 1) throw new Error('both at once');
      },
    });
    await eventually(() => expect(calls).toHaveLength(3));
    expect(calls[0]).toEqual([0, 1]);
    expect(calls.slice(1)).toEqual(expect.arrayContaining([[0], [1]]));
  });

  it('go on with heartbeats while a batch is worked on, so that they stay, and see it once', async () => {
    const publisher = await world.publisher();
    let heartbeats = 0;
    const kafka = world.client();
    const counted: KafkaClient = {
      ...kafka,
      consumer(config) {
        const consumer = kafka.consumer(config);
        consumer.on(consumer.events.HEARTBEAT, () => {
          heartbeats += 1;
        });
        return consumer;
      },
    };
    const seen: DomainEvent[] = [];
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    await world.consumer({
      topics: ['customers'],
      kafka: counted,
      apply: async (events) => {
        calls += 1;
        await isReleased;
        seen.push(...events);
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(calls).toBe(1));
    const before = heartbeats;
    await eventually(() => expect(heartbeats).toBeGreaterThanOrEqual(before + 3));
    expect(await readers()).toMatchObject({ state: 'Stable', members: [expect.anything()] });
    expect(seen).toEqual([]);
    release();
    await eventually(() => expect(seen).toHaveLength(1));
    await publisher.publish([recordOf(customerEvent(1, 2))]);
    await eventually(() => expect(versionsById(seen)).toEqual({ 1: [1, 2] }));
  });

  it('try on what fails while members come and go, and lose nothing', async () => {
    const publisher = await world.publisher();
    const seen: DomainEvent[] = [];
    let isBroken = true;
    let tries = 0;
    const apply = async (events: DomainEvent[]) => {
      tries += 1;
      if (isBroken) throw new Error('database away');
      seen.push(...events);
    };
    await world.consumer({ topics: ['customers'], apply });
    await publisher.publish(ids.map((id) => recordOf(customerEvent(id, 1))));
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(20));
    const guest = await world.consumer({ topics: ['customers'], apply });
    await eventually(() => expect(guest.ready()).toBeNull());
    await guest.stop();
    isBroken = false;
    await eventually(() => expect(new Set(seen.map((event) => event.aggregate_id))).toEqual(new Set(ids)));
  });

  it('leave at once when stopped while applying fails, and the next member gets what was not applied', async () => {
    const publisher = await world.publisher();
    let tries = 0;
    const failing = await world.consumer({
      topics: ['customers'],
      apply: async () => {
        tries += 1;
        throw new Error('database away');
      },
    });
    await publisher.publish([recordOf(customerEvent(1, 1))]);
    await eventually(() => expect(tries).toBeGreaterThanOrEqual(2));
    await failing.stop();
    expect((await readers())?.members).toEqual([]);
    const next = await member();
    await eventually(() => expect(versionsById(next.seen)).toEqual({ 1: [1] }));
  });
});
